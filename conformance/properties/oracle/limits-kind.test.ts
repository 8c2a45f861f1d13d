import { expect, test } from "vitest";
import { REFUSED_BYTES } from "../../../fixtures/broken-requests.ts";
import { kindOf } from "./limits-kind.ts";
import type { SendStep } from "../../story/story.ts";

test.each<[string, Partial<SendStep>, ReturnType<typeof kindOf>]>([
  ["a right request", {}, "right"],
  ["another method", { method: "PUT" }, "not counted"],
  ["another secret", { secret: "wrong" }, "refused"],
  ["no JSON", { text: '{"action":' }, "refused"],
  ["no object", { text: "null" }, "refused"],
  ["a list", { text: "[]" }, "refused"],
  ["an unknown action", { text: '{"action":"no_such_action"}' }, "open"],
  ["no action", { text: "{}" }, "open"],
  ["an unknown action with another secret", { text: '{"action":"no_such_action"}', secret: "wrong" }, "refused"],
  ["too large a body", { padTo: REFUSED_BYTES }, "refused"],
])("%s", (_, more, kind) => {
  expect(kindOf({ do: "send", route: "route", ...more }, undefined)).toBe(kind);
});
