/** Any sequence of the 13 actions on several flows, sessions and children, read back after most of them. */
import * as fc from "fast-check";
import { asides, everyCell, secondTries, shuffled, type Intent } from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import { flowClauses } from "../../oracle/judge.ts";
import { notVisited } from "../../oracle/visits.ts";
import { flowPlayer } from "../../oracle/play/flow-player.ts";
import { creationOf } from "../../oracle/flow-requests.ts";
import type { Property } from "./property.ts";

export const states: Property<Intent> = {
  id: "PROPERTY-STATES",
  title: "Any sequence of the 13 actions on several flows and sessions is answered as the states allow, and read back",
  clauses: flowClauses,
  reading:
    "Judged by a model of the interface alone. Where the interface is silent the profile decides, or the target's first " +
    "answer within a story is its rule for the rest of it.",
  runs: 1,
  begin: [creationOf("f1"), creationOf("f2", "stranger")],
  intents: shuffled(fc.tuple(everyCell, secondTries, asides).map((all) => all.flat())),
  player: flowPlayer(),
  plan: planIntent,
  coverageGap: (visits, gaps) => {
    const empty = notVisited(visits, gaps);
    return empty.length > 0 ? { reason: `not tried: ${empty.join(", ")}`, moreRuns: true } : undefined;
  },
};
