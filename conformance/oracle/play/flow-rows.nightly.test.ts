import { expect, test } from "vitest";
import { accept } from "../../../plugin/answer.ts";
import { cases } from "../../catalogue.ts";
import { readProfile, type Profile } from "../../interface/profile.ts";
import { withOutcome } from "../../proof/changes.ts";
import { launchedTarget, launchOf } from "../../proof/launch.ts";
import { products } from "../../proof/products/index.ts";
import type { Change } from "../../proof/subject.ts";
import { judged as judgedOf } from "../../test-support/gateway.test-support.ts";

/** What a case says of a subject by the interface alone, or with a profile that binds these gaps. */
async function judged(id: string, change: Change, gaps: Profile["gaps"] = {}) {
  const profile = { ...(await readProfile("spec", ".")), gaps };
  const chosen = cases.filter((item) => item.id === id);
  return (await judgedOf(launchedTarget("subject", launchOf(change)), chosen, { profile })).of(id);
}

const product = (id: string): Change =>
  products.find((one) => one.id === id)?.change ?? expect.fail(`there is no ${id}`);

test("a refused change that is done shows also beside active children, which may change their flow", async () => {
  const change = product("resume_flow with a stale revision refused and done, of a flow with an acp child");
  expect(await judged("REVISION-STALE", change)).toMatchObject({
    outcome: "fail",
    findings: expect.arrayContaining([
      expect.objectContaining({
        expected: "the flow's revision",
        clause: "REVISION-UNCHANGED",
        combination: expect.arrayContaining([expect.objectContaining({ factor: "children", values: ["acp"] })]),
      }),
    ]),
  });
});

test("a departure from the profile alone is left to the cases about gaps, also beside active children", async () => {
  expect(await judged("STATES-CANCEL-CHILDREN", {}, { "flow.default-status": "begun" })).toMatchObject({
    outcome: "pass",
  });
});

test("a cancellation that is accepted as if no child were active is held against the summary", async () => {
  const change = withOutcome("cancel_flow", (answer) => {
    const { flow, tasks = [] } = answer.result as { flow?: { status: string }; tasks?: { runtime: string }[] };
    const isIt = flow?.status === "waiting" && tasks.some(({ runtime }) => runtime === "acp");
    return answer.code === "cancel_pending" && isIt ? accept(answer.result) : answer;
  });
  expect(await judged("STATES-CANCEL-CHILDREN", change)).toMatchObject({
    outcome: "fail",
    findings: [{ actual: "another 2xx" }],
  });
});
