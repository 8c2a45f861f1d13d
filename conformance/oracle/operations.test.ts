import { expect, test } from "vitest";
import { usualFields } from "../interface/bodies.ts";
import type { ChangeAction } from "../interface/flow-model.ts";
import { validRequest } from "../interface/request.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { judgeOperation } from "./operations.ts";
import { judgeRead } from "./reads.ts";
import { responseOf, type Sent } from "./response.ts";
import { addFlow, newWorld } from "./world.ts";

const route = { id: "r", path: "/r", sessionKey: "s", secret: "secret" } as ConfiguredRoute;
const sent = (body: Sent["body"]): Sent => ({
  step: { do: "send", route: "route", as: "f" },
  route,
  body,
  at: { from: 0, to: 0 },
});

const answered = (status: number, envelope: object) => {
  const body = Buffer.from(JSON.stringify({ routeId: "r", result: {}, ...envelope }));
  return responseOf({
    request: validRequest(route, { action: "get_flow" }),
    from: "",
    answer: { status, headers: new Map(), body },
  });
};

/** A new flow at this revision, which was shown at the one before. */
function flowAt(revision: number) {
  const world = newWorld({ profile: { gaps: {}, fields: usualFields }, sessions: { home: "s", foreign: "other" } });
  const flow = addFlow(world, { flowId: "f", revision }, sent({ action: "create_flow" }));
  flow.revisions.add(revision - 1);
  return { world, flow };
}

const envelope = (revision: number | undefined) => ({ result: { flow: { flowId: "f", revision } } });
const accepted = [200, { ok: true }] as const;
const malformed = [400, { ok: false, code: "invalid_request", error: "no" }] as const;

test.each<[ChangeAction, number, number, readonly [number, object], string]>([
  ["set_waiting", 3, 2, accepted, "set_waiting with an earlier revision on a new flow refused (409 revision_conflict)"],
  ["set_waiting", 3, 4, accepted, "set_waiting with a later revision on a new flow refused"],
  ["request_cancel", 0, 0, malformed, "request_cancel with revision 0 on a new flow accepted"],
  ["finish_flow", 3, 3, malformed, "finish_flow on a new flow accepted"],
])(
  "%s of a flow at revision %i with %i: what is wrong says how the two stand",
  (action, revision, expectedRevision, [status, told], expected) => {
    const { world, flow } = flowAt(revision);
    const one = {
      world,
      action,
      flow,
      sent: sent({ action, flowId: "f", expectedRevision }),
      response: answered(status, told),
    };
    expect(judgeOperation(one)).toMatchObject({ expected });
  },
);

test.each([
  // What came with the refusal, and what the next read shows.
  [3, undefined, "no revision_conflict with the flow's own revision"],
  [undefined, 3, "a revision that the flow did not have before"],
  [4, 4, undefined],
])("a conflict with the flow's own revision says that it has another by now", (shown, next, expected) => {
  const { world, flow } = flowAt(3);
  flow.states = [{ ...flow.states[0], flow: { ...flow.states[0].flow, pending: true, active: 1 } }];
  const conflict = { ok: false, code: "revision_conflict", error: "no", ...envelope(shown) };
  const body = sent({ action: "finish_flow", flowId: "f", expectedRevision: 3 });
  const one = { world, action: "finish_flow" as const, flow, sent: body, response: answered(409, conflict) };
  const read = answered(200, { ok: true, ...envelope(next) });
  const wrong =
    judgeOperation(one) ?? judgeRead(world, "get_flow", flow, sent({ action: "get_flow", flowId: "f" }), read);
  expect(wrong?.expected).toBe(expected);
});

const showing = (fields: object) => ({ ok: true, result: { flow: { flowId: "f", status: "queued", ...fields } } });
const askedToCancel = { cancelRequestedAt: 8 };
test.each([
  ["the same in all else", askedToCancel, askedToCancel, "the revision that the answer to request_cancel showed"],
  ["cancelled by now", askedToCancel, { ...askedToCancel, status: "cancelled" }, undefined],
  ["asked to cancel a moment later", {}, askedToCancel, undefined],
])("a flow that was asked to cancel has another revision in the next view, and is %s", (_, first, next, expected) => {
  const { world, flow } = flowAt(3);
  const body = sent({ action: "request_cancel", flowId: "f", expectedRevision: 3 });
  const response = answered(200, showing({ revision: 3, ...first }));
  expect(judgeOperation({ world, action: "request_cancel", flow, sent: body, response })).toBeUndefined();
  const read = answered(200, showing({ revision: 4, ...next }));
  const wrong = judgeRead(world, "get_flow", flow, sent({ action: "get_flow", flowId: "f" }), read);
  expect(wrong?.expected).toBe(expected);
});

test("a read that shows a revision of before is told as that", () => {
  const { world, flow } = flowAt(3);
  const response = answered(200, { ok: true, result: { flow: { flowId: "f", revision: 2 } } });
  expect(judgeRead(world, "get_flow", flow, sent({ action: "get_flow", flowId: "f" }), response)).toMatchObject({
    expected: "no revision before the one that the last answer showed",
    actual: "one in get_flow",
  });
});
