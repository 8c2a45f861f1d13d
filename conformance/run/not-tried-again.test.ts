import { expect, test, vi } from "vitest";
import { createFlow } from "../interface/bodies.ts";
import { Failure } from "../harness/case-errors.ts";
import { caseOf, inProcess, judged } from "../test-support/gateway.test-support.ts";
import { Budget } from "./budget.ts";

test("a request that was not answered blames nobody once the run has no time left to try its case again", async () => {
  let isOver = false;
  vi.spyOn(Budget.prototype, "exhausted", "get").mockImplementation(() => (isOver ? "not tried" : undefined));
  const lost = caseOf("LOST", {
    run: async (trial) => {
      const { answer: _lost, ...sent } = await trial.post(createFlow("an ordinary goal"));
      isOver = true;
      throw new Failure("an answer", "none", [{ ...sent, fault: "no whole answer" }]);
    },
  });
  const { of } = await judged(inProcess(), [lost]);
  expect(of("LOST")).toMatchObject({ outcome: "unreached", reason: "not tried" });
});
