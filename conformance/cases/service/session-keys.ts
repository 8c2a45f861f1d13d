/** Section 1: sessions with similar keys are separate sessions. */
import { randomUUID } from "node:crypto";
import { change } from "../../../fixtures/bodies.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse } from "../../harness/checks.ts";
import { mustNotShow, readsByIdentity } from "../../harness/strangers.ts";

export const sessionKeyCases: readonly Case[] = [
  {
    id: "SESSION-KEY-LONGER",
    title: "A session whose key is that of another with more behind it has TaskFlows of its own",
    level: "must" as const,
    keys: ["alike", "alikeLonger"] as const,
  },
  {
    id: "SESSION-KEY-LAST-PART",
    title: "Two sessions whose long keys differ only at their end, behind a colon, have TaskFlows of their own",
    level: "must" as const,
    keys: ["alikePartOne", "alikePartTwo"] as const,
  },
  {
    id: "SESSION-KEY-CAPITALS",
    title: "A session whose key is that of another in capital letters has TaskFlows of its own",
    level: "should" as const,
    keys: ["alike", "alikeCapitals"] as const,
    reading:
      "Whether such keys are one session is the gateway's matter; where they are, two teams that an operator keeps apart are not.",
  },
].map(({ keys, ...one }) => ({
  ...one,
  clauses: ["SESSION-BOUND"],
  requests: 24,
  async run(trial) {
    const [alike, other] = [trial.special(keys[0]), trial.special(keys[1])];
    for (const [owner, stranger] of [
      [alike, other],
      [other, alike],
    ] as const) {
      const goal = `goal of one session ${randomUUID()}`;
      await trial.flow({}, stranger);
      const flow = await trial.flow({ goal }, owner);
      for (const { body } of readsByIdentity) {
        mustNotShow(await trial.post(body(trial, flow.flowId), stranger), flow, goal);
      }
      mustRefuse(await trial.post(change("finish_flow", flow), stranger));
      mustAccept(
        await trial.post(change("finish_flow", flow), owner),
        "the flow finished in its own session, unchanged",
      );
    }
  },
}));
