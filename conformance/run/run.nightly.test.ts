import { expect, test } from "vitest";
import { caseOf, gateway, goalCase, judged } from "../test-support/gateway.test-support.ts";

test("a target that dies again and again is given up, and nothing is passed for it", async () => {
  const cases = Array.from({ length: 15 }, (_, index) => goalCase(`CRASH-${index}`, "exit now"));
  const { results } = await judged(gateway(), [...cases, caseOf("LAST")]);
  const given = results.filter(({ outcome }) => outcome === "error");
  // Six run at a time: one start is for the second six, before one of them is tried alone.
  expect(given.map(({ reason }) => reason)).toEqual(
    Array(5).fill("the target had to be started again 12 times in this run: it is given up"),
  );
  expect(results.filter(({ outcome }) => outcome === "fail")).toHaveLength(11 + 1);
  expect(results.at(-1)).toMatchObject({ id: "ALWAYS-UP", outcome: "fail" });
});
