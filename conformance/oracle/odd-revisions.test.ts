import { expect, test } from "vitest";
import type { Allowed } from "../interface/flow-model.ts";
import { hasOddRevision, mustRefuseRevision, oddNames, oddRevision } from "./odd-revisions.ts";
import { responseOf, type Response } from "./response.ts";

const response = (status: number, code?: string): Response =>
  responseOf({
    request: { method: "POST", path: "/", headers: [], body: new Uint8Array() },
    from: "",
    answer: { status, headers: new Map(), body: Buffer.from(JSON.stringify({ ok: status < 300, code })) },
  });

const applies: readonly Allowed[] = [{ accepted: true, revision: "new", clause: "STATE-FINISH" }];
const ended: readonly Allowed[] = [{ accepted: false, revision: "same", clause: "STATE-TERMINAL" }];

test.each(oddNames)("the odd revision %s is none of the flow's", (name) => {
  const value = oddRevision(name, 3);
  expect(value).not.toBeUndefined();
  expect(value).not.toBe(3);
});

test.each([
  ["finish_flow", {}, true],
  ["finish_flow", { expectedRevision: "3" }, true],
  ["finish_flow", { expectedRevision: 3.5 }, true],
  ["finish_flow", { expectedRevision: 3 }, false],
  ["cancel_flow", {}, false],
] as const)(
  "a revision that no flow can have of the actions that change a flow: %s %j has one: %s",
  (action, fields, expected) => {
    expect(hasOddRevision(action, fields)).toBe(expected);
  },
);

// Never taken; one that is no number gets 400 invalid_request where the change would else apply.
test.each([
  ["3", applies, response(200), "REVISION-REQUIRED"],
  [-1, ended, response(200), "REVISION-REQUIRED"],
  ["3", applies, response(400, "invalid_request"), undefined],
  [undefined, applies, response(409, "revision_conflict"), "ERROR-INVALID"],
  ["3", ended, response(409, "terminal"), undefined],
  [-1, applies, response(409, "revision_conflict"), undefined],
  [1.5, applies, response(500, "internal_error"), "ERROR-INVALID"],
])("the odd revision %j where %j is answered %j: %s", (sent, allowed, answer, clause) => {
  expect(mustRefuseRevision(sent, allowed, answer)?.clause).toBe(clause);
});
