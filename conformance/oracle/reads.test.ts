import { expect, test } from "vitest";
import { usualFields } from "../interface/bodies.ts";
import { validRequest, type ActionBody } from "../interface/request.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { judgeRead } from "./reads.ts";
import { responseOf, type Sent } from "./response.ts";
import { addFlow, newWorld } from "./world.ts";

const route = { id: "r", path: "/r", sessionKey: "s", secret: "secret" } as ConfiguredRoute;
const earlier = Array.from({ length: 12 }, (_, index) => `earlier-${index}`);
const later = earlier.map((id) => `later-${id}`);

const sent = (body: ActionBody, from: number, as = "f"): Sent => ({
  step: { do: "send", route: "route", as },
  route,
  body,
  at: { from, to: from },
});

/** What is wrong with this list in a session of twelve earlier flows, of `f1`, and of `f2`: that was made after `f1`, which was changed last. */
function listed(ids: readonly string[]) {
  const owners = new Map(earlier.map((id) => [id, "s"]));
  const profile = { gaps: {}, fields: usualFields };
  const world = newWorld({ profile, owners, sessions: { home: "s", foreign: "other" } });
  const made = ["f1", "f2"].map((flowId, index) =>
    addFlow(world, { flowId, revision: 0 }, sent({ action: "create_flow" }, 1000 * index, flowId)),
  );
  Object.assign(made[0] ?? {}, { updated: { from: 3000, to: 3000 } });
  const body: ActionBody = { action: "list_flows" };
  const result = { flows: ids.map((flowId) => ({ flowId, revision: 0 })) };
  const text = JSON.stringify({ ok: true, routeId: "r", result });
  const answer = { status: 200, headers: new Map(), body: Buffer.from(text) };
  const response = responseOf({ request: validRequest(route, body), from: "", answer });
  return judgeRead(world, "list_flows", undefined, sent(body, 4000), response);
}

test.each([
  ["the newest by creation", ["f2", ...later]],
  ["the newest by their last change", ["f1", ...later]],
  ["all but the oldest", [...earlier.slice(3), "f1", "f2"]],
  ["every flow", [...earlier, "f1", "f2"]],
])("a long list may show %s", (_, ids) => expect(listed(ids)).toBeUndefined());

test.each([
  ["older ones are shown", [...earlier, "f2"]],
  ["the list is short", ["f2"]],
])("a flow is missing where %s", (_, ids) => expect(listed(ids)).toMatchObject({ actual: "a flow is missing" }));
