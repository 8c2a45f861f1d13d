/** The order in which failures are told: every clause has one place in it, and what is left open hangs where it was kept. */
import { expect, test } from "vitest";
import { setUp } from "../harness/checks.ts";
import { Unreached } from "../harness/case-errors.ts";
import { clauseIds } from "../interface/clauses/index.ts";
import { way } from "../interface/way.ts";
import { exchangeWith, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { stopOf } from "./way.ts";

test("every clause stands at one stop of the way", () => {
  expect(Object.values(way).flat().toSorted()).toEqual([...clauseIds].toSorted());
});

const stopFor = (given: Parameters<typeof resultOf>[0]) => {
  const [result] = reportWith([resultOf({ clauses: ["SESSION-BOUND"], reason: "no reason", ...given })]).results;
  return stopOf(result as never);
};

test("what is left open hangs on the stop that kept it from being judged, else on that of its clause", () => {
  expect(stopFor({ outcome: "unreached", at: "authentication" })).toBe("authentication");
  expect(stopFor({ outcome: "unreached" })).toBe("sessions and metadata");
  expect(stopFor({ outcome: "fail", expected: "x", at: "authentication" })).toBe("sessions and metadata");
});

test.each([
  [401, "authentication"],
  [405, "method"],
  [415, "content type"],
  [413, "body"],
  [429, "rate limit"],
  [500, "actions"],
] as const)("a set-up that is refused with %s is kept from being judged at the stop: %s", (status, stop) => {
  const answer = { status, headers: new Map<string, string[]>(), body: new Uint8Array() };
  const refused = () => setUp(exchangeWith("{}", { answer }), "create_flow");
  expect(refused).toThrow(expect.objectContaining({ at: stop }));
  expect(refused).toThrow(Unreached);
});
