/** Section 1: sessions with similar keys are separate sessions. */
import type { Case } from "../../harness/case.ts";
import { specialRoutes, type StandardRoute } from "../../targets/standard-routes.ts";
import { unicodeSessions, type VariantName } from "../../targets/variants.ts";
import { probeServed } from "../../harness/served.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { playForeign, usualForeign } from "./foreign-rows.ts";

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

const actions = ["get_flow", "resolve_flow", "list_flows", "find_latest_flow", "finish_flow"] as const;

const foreign = flowRows({
  id: "SESSION-KEY",
  title: "A flow of another session is neither shown nor changed",
  clauses: ["SESSION-BOUND", "REVISION-UNCHANGED"],
  requests: 20,
  table: { factors: { action: actions, "whose flow": ["another session's"] } },
  play: (one, { action }) => playForeign(one, { ...usualForeign, action }),
});

export const sessionKeyCases: readonly Case[] = table.map(({ routes, ...one }) => ({
  ...one,
  clauses: ["SESSION-BOUND"],
  requests: 20,
  async run(trial) {
    if (one.variant !== undefined) await probeServed(trial);
    const [first = "", ...others] = routes.map(({ id }) => id);
    for (const other of others) {
      await foreign.run(trial.between(first, other));
      await foreign.run(trial.between(other, first));
    }
  },
}));
