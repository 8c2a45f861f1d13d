/** Section 4: the limits among the other checks, by the target's own answers to each alone. */
import type { Case } from "../../harness/case.ts";
import { servedArrivals, targetForms } from "../../harness/arrivals.ts";
import { mustTakeTwin } from "../../harness/checks.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { playLimitedRow, states } from "../../oracle/limited-row.ts";
import type { Trial } from "../../harness/trial.ts";
import { rowCase } from "../../oracle/row-case.ts";
import type { Table } from "../../oracle/rows.ts";
import { namesOf } from "../../oracle/flow-factors.ts";

const limited = [states[1], states[2]] as [string, ...string[]];

/** What stands behind the limit: its answer must not be that to any of it. */
const behind: Table = {
  factors: {
    state: limited,
    credential: ["Bearer", "product header", "wrong", "none", "wrong in the product header"],
    body: ["plain", "no JSON", "262,145 bytes"],
    framing: ["a Content-Length", "one chunk", "HTTP/1.0", "a body in pieces"],
    target: namesOf(targetForms),
  },
  triples: [["state", "body", "framing"]],
};

/** What stands before it. */
const before: Table = {
  factors: {
    state: limited,
    method: ["POST", "PUT", "GET"],
    "content type": ["text/plain", "application/json", "none"],
    credential: ["Bearer", "wrong"],
    body: ["plain", "no JSON"],
    framing: ["a Content-Length", "one chunk"],
    target: namesOf(targetForms),
  },
  allows: ({ method, "content type": type }) => method !== "POST" || type !== "application/json",
};

const common = {
  meetsLimits: true,
  requests: 2 * REQUESTS_PER_WINDOW,
  reading: "Told by the target's own answers to each defect alone; those that are alike cannot be told apart so.",
  client: "one",
  async valuesOf(trial: Trial) {
    mustTakeTwin(await trial.send(trial.right()));
    const { framing, target } = await servedArrivals(trial);
    return { framing, target };
  },
  play: playLimitedRow,
} as const;

export const orderRowCases: readonly Case[] = [
  rowCase({
    ...common,
    id: "ORDER-LIMITS-FIRST",
    title: "Without budget or slots the limit answers, whatever is wrong with the secret and the body",
    clauses: ["ORDER-RATE-AUTH", "ORDER-RATE-BODY", "ORDER-IN-FLIGHT-AUTH", "ORDER-IN-FLIGHT-BODY"],
    table: behind,
  }),
  rowCase({
    ...common,
    id: "ORDER-LIMITS-AFTER",
    title: "A method or content type that is refused is answered for, whether or not there is a budget or a slot",
    clauses: ["ORDER-METHOD-RATE", "ORDER-METHOD-IN-FLIGHT"],
    table: before,
  }),
];
