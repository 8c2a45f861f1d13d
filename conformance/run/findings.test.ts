import { expect, test } from "vitest";
import { check } from "../harness/checks.ts";
import { NotApplicable, Unreached } from "../harness/case-errors.ts";
import { createFlow } from "../interface/bodies.ts";
import type { Trial } from "../harness/trial.ts";
import { rowCase } from "../oracle/row-case.ts";
import { caseOf, gateway, inProcess, judged } from "../test-support/gateway.test-support.ts";

const wrongOf = (value: number) => check(value % 2 === 0, "an even number", `${value}`);
const each = (values: readonly number[], end?: Error) => async (trial: Trial) => {
  await trial.each(values, wrongOf);
  if (end !== undefined) throw end;
};
const found = (result: { findings?: readonly { actual: string }[] }) => result.findings?.map(({ actual }) => actual);

test.concurrent("a case tells all that it finds; what ends it is told apart from what it went on behind", async () => {
  const { of } = await judged(inProcess(), [
    caseOf("ALL", { run: each([1, 2, 3]) }),
    caseOf("NONE", { run: each([2, 4]) }),
    caseOf("ENDS", { run: each([1, 3], new Unreached("no set-up")) }),
    caseOf("HOSTILE", { run: each(Array.from({ length: 500 }, (_, index) => 2 * index + 1)) }),
    caseOf("BUG", { run: (trial) => trial.part(() => Promise.reject(new TypeError("a slip"))) }),
    caseOf("NOT-HERE", { run: (trial) => trial.part(() => Promise.reject(new NotApplicable("not here"))) }),
    caseOf("THROWS", { run: () => wrongOf(5) as never }),
  ]);
  expect(of("ALL")).toMatchObject({ outcome: "fail", findings: [{ expected: "an even number", actual: "1" }, {}] });
  expect(found(of("ALL"))).toEqual(["1", "3"]);
  expect(of("ALL").cut).toBeUndefined();
  expect(of("NONE").outcome).toBe("pass");
  expect(of("ENDS")).toMatchObject({ outcome: "fail", cut: true });
  expect(found(of("ENDS"))).toEqual(["1", "3"]);
  expect(found(of("HOSTILE"))).toHaveLength(100);
  expect(of("HOSTILE").cut).toBe(true);
  expect(of("BUG").outcome).toBe("error");
  expect(of("NOT-HERE").outcome).toBe("not-applicable");
  expect(of("THROWS")).toMatchObject({ outcome: "fail", cut: true, findings: [{ actual: "5" }] });
});

test.concurrent(
  "a case made of rows tells each combination that fails, and plays no row that is known to fail",
  async () => {
    const played: string[] = [];
    const item = rowCase({
      ...caseOf("ROWS"),
      client: "one",
      table: { factors: { method: ["POST", "PUT", "GET"], secret: ["right", "wrong"], body: ["one", "other"] } },
      async play(_, { method, secret, body }) {
        played.push(`${method} ${secret} ${body}`);
        check(method !== "PUT", "a refusal", "PUT accepted");
        check(secret === "right" || method === "POST" || body === "one", "401", "200");
      },
    });
    const { of } = await judged(inProcess(), [item]);
    expect(of("ROWS").findings?.map(({ actual, combination }) => [actual, combination])).toEqual([
      ["PUT accepted", [{ factor: "method", values: ["PUT"], right: 2, passing: ["POST", "GET"] }]],
      [
        "200",
        [
          { factor: "method", values: ["GET"], right: 1, passing: ["POST"] },
          { factor: "secret", values: ["wrong"], right: 1, passing: ["right"] },
          { factor: "body", values: ["other"], right: 1, passing: ["one"] },
        ],
      ],
    ]);
    expect(of("ROWS").cut).toBeUndefined();
  },
);

const complainsFor = (ms: number) => async (trial: Trial) => {
  await trial.post(createFlow("complain now"));
  await trial.pass(ms);
  check(false, "one thing", "another");
};

test.concurrent("what a target writes to stderr stands beside a case that it was for, and no other", async () => {
  const alone = (id: string) => caseOf(id, { alone: true, run: complainsFor(0) });
  const { of } = await judged(gateway(), [alone("FIRST"), alone("SECOND")]);
  for (const id of ["FIRST", "SECOND"])
    expect(of(id).printed).toEqual([expect.stringMatching(/^gateway: no room for lane-\d+ with \S+$/)]);
  const meets = caseOf("BESIDE", { run: complainsFor(300) });
  const together = await judged(gateway(), [meets, { ...meets, id: "TOO" }]);
  expect(together.results.map(({ outcome, printed }) => [outcome, printed])).toEqual([
    ["fail", []],
    ["fail", []],
  ]);
});
