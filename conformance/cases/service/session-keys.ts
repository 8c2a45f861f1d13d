/** Section 1: sessions with similar keys are separate sessions. */
import { randomUUID } from "node:crypto";
import { change } from "../../interface/bodies.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse } from "../../harness/checks.ts";
import { specialRoutes, type StandardRoute } from "../../targets/standard-routes.ts";
import { unicodeSessions, type VariantName } from "../../targets/variants.ts";
import { probeServed } from "../../harness/served.ts";
import { mustNotShow, readsByIdentity } from "../../harness/strangers.ts";

interface Pair {
  readonly id: string;
  readonly title: string;
  readonly level?: "should";
  readonly routes: readonly StandardRoute[];
  readonly reading?: string;
  readonly variant?: VariantName;
}

const pairs: readonly Pair[] = [
  {
    id: "SESSION-KEY-LONGER",
    title: "A session whose key is that of another with more behind it has TaskFlows of its own",
    routes: [specialRoutes.alike, specialRoutes.alikeLonger],
  },
  {
    id: "SESSION-KEY-LAST-PART",
    title: "Two sessions whose long keys differ only at their end, behind a colon, have TaskFlows of their own",
    routes: [specialRoutes.alikePartOne, specialRoutes.alikePartTwo],
  },
  {
    id: "SESSION-KEY-CAPITALS",
    title: "A session whose key is that of another in capital letters has TaskFlows of its own",
    level: "should",
    routes: [specialRoutes.alike, specialRoutes.alikeCapitals],
    reading:
      "Whether such keys are one session is the gateway's matter; where they are, two teams that an operator keeps apart are not.",
  },
  {
    id: "SESSION-KEY-UNICODE",
    title: "Sessions whose keys are two Unicode forms of one text have TaskFlows of their own",
    level: "should",
    routes: unicodeSessions,
    variant: "oddRoutes",
    reading:
      "Whether such keys are one session is the gateway's matter; where they are, two teams that an operator keeps apart are not.",
  },
];

export const sessionKeyCases: readonly Case[] = pairs.map(({ routes, ...one }) => ({
  ...one,
  clauses: ["SESSION-BOUND"],
  requests: 24,
  async run(trial) {
    if (one.variant !== undefined) await probeServed(trial);
    const [alike, other] = routes.map(({ id }) => trial.routeOf(id)) as [ConfiguredRoute, ConfiguredRoute];
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
