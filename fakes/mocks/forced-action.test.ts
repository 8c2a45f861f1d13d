import { expect, test, vi } from "vitest";
import { systemClock } from "../clock.ts";
import type { Exchange } from "../../plugin/contract.ts";
import { forcedAction } from "./forced-action.ts";

test("an answer is lost also where the action throws", async () => {
  const action = { name: "action", run: vi.fn(() => Promise.reject(new Error("a bug"))) };
  const stage = forcedAction(action, { nextOutcome: () => "lost_answer", latencyMs: 0, noteOf: () => undefined });
  const destroy = vi.fn();
  const context = { route: { id: "demo" }, clock: systemClock };
  expect(await stage.run({ context, request: { socket: { destroy } } } as unknown as Exchange)).toBe("aborted");
  expect([action.run.mock.calls.length, destroy.mock.calls.length]).toEqual([1, 1]);
});
