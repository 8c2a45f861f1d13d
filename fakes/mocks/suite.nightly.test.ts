/** The whole suite against the mocks, and against the same plugin behind a socket: `npm run mocks`, which takes minutes. */
import { afterAll, expect, test } from "vitest";
import { runConformance, type LaunchTarget } from "../../conformance/library/index.ts";
import { differingCases } from "./differences.test-support.ts";
import {
  endInterception,
  mockTargets,
  socketTarget,
} from "../../conformance/test-support/mock-targets.test-support.ts";

afterAll(endInterception);

async function outcomesOf(target: LaunchTarget) {
  const { results } = (await runConformance(target, { maxMinutes: 20 })).report;
  return new Map(results.map(({ id, outcome, reason = "", actual = reason }) => [id, { outcome, actual }] as const));
}

test("the whole suite finds the mocks like the same plugin behind a socket, but for the cases that are said to differ", async () => {
  const socket = await outcomesOf(socketTarget);
  for (const target of Object.values(mockTargets)) {
    const mock = await outcomesOf(target);
    const known = differingCases(target.name);
    const differing = new Map([...mock].filter(([id, { outcome }]) => outcome !== socket.get(id)?.outcome));
    expect
      .soft(
        [...differing].filter(([id]) => !known.has(id)),
        `${target.name}: not listed`,
      )
      .toEqual([]);
    expect
      .soft(
        [...known].filter((id) => !differing.has(id)),
        `${target.name}: listed, but alike`,
      )
      .toEqual([]);
  }
}, 3_600_000);
