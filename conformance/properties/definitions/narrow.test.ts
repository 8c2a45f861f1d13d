/** A property about its own clauses leaves departures from others to the cases that are about them. */
import { expect, test } from "vitest";
import { reject } from "../../../plugin/answer.ts";
import { broken } from "../../proof/broken/index.ts";
import { withAction, withFlows } from "../../proof/changes.ts";
import { clauseOf } from "../../test-support/search.test-support.ts";

const narrow = ["PROPERTY-REVISIONS", "PROPERTY-RUN-TASK", "PROPERTY-LEAKAGE"];

test("a status by another name fails the property of states and no other", async () => {
  const subject = broken.find(({ id }) => id === "finish-flow-makes-a-flow-succeeded");
  if (subject === undefined) throw new Error("there is no such subject");
  expect(await clauseOf(subject.change, "PROPERTY-STATES")).toBe("STATE-FINISH");
  for (const id of narrow) expect([id, await clauseOf(subject.change, id)]).toEqual([id, "pass"]);
}, 60_000);

test("where no flow comes to be nothing is passed for judged", async () => {
  const creates = withAction("create_flow", async () => reject("request_rejected"));
  for (const id of narrow) expect(await clauseOf(creates, id)).toMatch(/^only 0 requests about flows could be judged/);
}, 60_000);

test("a cancellation may be two changes: asked for, and done", async () => {
  const asksFirst = withFlows((flows) => ({
    cancel: async (input) => {
      const flow = await flows.get(input.flowId);
      if (flow !== undefined && flow !== null && flow.cancelRequestedAt === undefined)
        await flows.requestCancel({ flowId: flow.flowId, expectedRevision: flow.revision });
      const { expectedRevision: _before, ...rest } = input;
      return flows.cancel(rest);
    },
  }));
  expect(await clauseOf(asksFirst, "PROPERTY-STATES")).toBe("pass");
}, 60_000);
