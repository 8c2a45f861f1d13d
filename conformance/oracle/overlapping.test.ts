import { expect, test } from "vitest";
import { validRequest, type ActionBody } from "../interface/request.ts";
import { usualFields } from "../interface/bodies.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { judgeResponse } from "./judge.ts";
import { Overlapping, type Answered } from "./overlapping.ts";
import { responseOf } from "./response.ts";
import { newWorld } from "./world.ts";

const route = { id: "r", path: "/r", sessionKey: "s", secret: "secret" } as ConfiguredRoute;
const at = { from: 0, to: 0 };

/** A request from `start` to `end`, and its answer: a view of the flow, or a refusal with a code. */
function answered(body: ActionBody, shown: object | string, [start, end] = [0, 0]): Answered {
  const envelope = typeof shown === "string" ? { ok: false, code: shown, error: "no" } : { ok: true };
  const result = typeof shown === "string" ? {} : { flow: { flowId: "f-1", goal: "g", ...shown } };
  const text = JSON.stringify({ ...envelope, routeId: "r", result });
  const answer = { status: shown === "revision_conflict" ? 409 : 200, headers: new Map(), body: Buffer.from(text) };
  const sent = { step: { do: "send", route: "route", as: "f1" } as const, route, body, at };
  return { sent, response: responseOf({ request: validRequest(route, body), from: "", answer }), start, end };
}

function worldWithFlow() {
  const profile = { gaps: {}, fields: usualFields };
  const world = newWorld({ profile, sessions: { home: "s", foreign: "other" } });
  const { sent, response } = answered({ action: "create_flow", goal: "g" }, { revision: 0 });
  expect(judgeResponse(world, sent, response)).toBeUndefined();
  return world;
}

const waits: ActionBody = { action: "set_waiting", flowId: "f-1", expectedRevision: 0 };
const applied = answered(waits, { revision: 1, status: "waiting" }, [0, 9]);

test("of two changes with one revision one may be applied, and what follows is judged by what is left", () => {
  const world = worldWithFlow();
  const overlapping = new Overlapping(world);
  for (const one of [applied, answered(waits, "revision_conflict", [1, 8])])
    expect(overlapping.take(one)).toBeUndefined();
  expect(overlapping.unexplained()).toBeUndefined();
  const { sent, response } = answered({ action: "get_flow", flowId: "f-1" }, { revision: 0 });
  expect(judgeResponse(world, sent, response)).toMatchObject({ clause: "REVISION-ADVANCES" });
});

test("two that are both applied are explained by no order", () => {
  const overlapping = new Overlapping(worldWithFlow());
  for (const one of [applied, answered(waits, { revision: 2, status: "waiting" }, [1, 8])])
    expect(overlapping.take(one)).toBeUndefined();
  expect(overlapping.unexplained()?.departure).toMatchObject({ clause: "REVISION-STALE" });
});

test("a read that ends before a change begins may not show it", () => {
  const overlapping = new Overlapping(worldWithFlow());
  const early = answered({ action: "get_flow", flowId: "f-1" }, { revision: 1 }, [0, 1]);
  for (const one of [early, answered(waits, { revision: 1, status: "waiting" }, [2, 3])])
    expect(overlapping.take(one)).toBeUndefined();
  expect(overlapping.unexplained()?.departure).toMatchObject({ clause: "REVISION-ADVANCES" });
});
