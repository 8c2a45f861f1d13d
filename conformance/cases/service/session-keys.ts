/** Section 1: sessions with similar keys are separate sessions. */
import { randomUUID } from "node:crypto";
import { change, type FlowAt } from "../../interface/bodies.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse } from "../../harness/checks.ts";
import { specialRoutes, type StandardRoute } from "../../targets/standard-routes.ts";
import { unicodeSessions, type VariantName } from "../../targets/variants.ts";
import { probeServed } from "../../harness/served.ts";
import { mustNotShow, readsByIdentity } from "../../harness/strangers.ts";

interface Alike {
  readonly id: string;
  readonly title: string;
  readonly level?: "should";
  /** The keys of the others are like that of the first. */
  readonly routes: readonly StandardRoute[];
  readonly reading?: string;
  readonly variant?: VariantName;
}

const { alike, alikeLonger, alikeFront, alikeSigns, alikeCapitals, alikePartOne, alikePartTwo } = specialRoutes;
const gatewaysMatter =
  "Whether such keys are one session is the gateway's matter; where they are, two teams that an operator keeps apart are not.";

const table: readonly Alike[] = [
  {
    id: "SESSION-KEY-LONGER",
    title: "A session has TaskFlows of its own, whatever stands before and behind in its key, and whichever signs",
    routes: [alike, alikeLonger, alikeFront, alikeSigns],
    reading: "A key is a text, and a session is identified by the whole of it.",
  },
  {
    id: "SESSION-KEY-LAST-PART",
    title: "Two sessions whose long keys differ only at their end, behind a colon, have TaskFlows of their own",
    routes: [alikePartOne, alikePartTwo],
  },
  {
    id: "SESSION-KEY-CAPITALS",
    title: "A session whose key is that of another in capital letters has TaskFlows of its own",
    level: "should",
    routes: [alike, alikeCapitals],
    reading: gatewaysMatter,
  },
  {
    id: "SESSION-KEY-UNICODE",
    title: "Sessions whose keys are two Unicode forms of one text have TaskFlows of their own",
    level: "should",
    routes: unicodeSessions,
    variant: "oddRoutes",
    reading: gatewaysMatter,
  },
];

export const sessionKeyCases: readonly Case[] = table.map(({ routes: known, ...one }) => ({
  ...one,
  clauses: ["SESSION-BOUND"],
  requests: 20,
  async run(trial) {
    if (one.variant !== undefined) await probeServed(trial);
    const routes = known.map(({ id }) => trial.routeOf(id));
    const goals = routes.map(({ id }) => `goal of ${id} ${randomUUID()}`);
    const flows = await Promise.all(routes.map((route, at) => trial.flow({ goal: goals[at] }, route)));
    for (const [at, route] of routes.entries())
      for (const [of, flow] of flows.entries()) {
        if (at === of || (at > 0 && of > 0)) continue;
        for (const { body } of readsByIdentity)
          mustNotShow(await trial.post(body(trial, flow.flowId), route), flow, goals[of] ?? "");
        mustRefuse(await trial.post(change("finish_flow", flow), route));
      }
    for (const [at, route] of routes.entries()) {
      const finished = await trial.post(change("finish_flow", flows[at] as FlowAt), route);
      mustAccept(finished, "the flow finished in its own session, unchanged");
    }
  },
}));
