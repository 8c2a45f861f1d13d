/** Section 7: the statuses, codes and headers of refusals, which the interface leaves to a profile. */
import { createFlow } from "../../../fixtures/bodies.ts";
import { REFUSED_BYTES } from "../../../fixtures/broken-requests.ts";
import { paddedTo, validRequest, withBody, withHeader, withMethod } from "../../../fixtures/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, setUp } from "../../harness/checks.ts";
import { fill, keyOf } from "../../harness/limit-keys.ts";
import { timedOut } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { usedUp } from "../../harness/used-up.ts";

type Check = "method" | "content-type" | "rate" | "in-flight" | "body.too-large" | "body.timeout";

interface Refusal {
  readonly id: string;
  readonly what: string;
  readonly clauses: readonly ClauseId[];
  /** What its gaps are named after. */
  readonly check: Check;
  readonly more?: Partial<Case>;
  provoke(trial: Trial): Promise<Exchange>;
}

const right = (trial: Trial) => validRequest(trial.route, createFlow());

const refusals: readonly Refusal[] = [
  {
    id: "METHOD",
    what: "a method other than POST",
    clauses: ["ERROR-STATUSES", "METHOD-POST"],
    check: "method",
    provoke: (trial) => trial.send(withMethod(right(trial), "PUT")),
  },
  {
    id: "CONTENT-TYPE",
    what: "another content type",
    clauses: ["ERROR-STATUSES", "CONTENT-TYPE"],
    check: "content-type",
    provoke: (trial) => trial.send(withHeader(right(trial), "content-type", "text/plain")),
  },
  {
    id: "RATE",
    what: "the rate limit",
    clauses: ["ERROR-STATUSES", "RATE-120"],
    check: "rate",
    more: { meetsLimits: true, requests: 125 },
    provoke: async (trial) => (await usedUp(trial, 1)).refusal,
  },
  {
    id: "IN-FLIGHT",
    what: "the in-flight limit",
    clauses: ["ERROR-STATUSES", "IN-FLIGHT-8"],
    check: "in-flight",
    more: { meetsLimits: true, requests: 60 },
    provoke: async (trial) => (await fill(trial, keyOf(trial))).refusal,
  },
  {
    id: "TOO-LARGE",
    what: "a body that is too large",
    clauses: ["ERROR-STATUSES", "BODY-SIZE"],
    check: "body.too-large",
    provoke: async (trial) => trial.finish(await trial.upload(paddedTo(right(trial), REFUSED_BYTES))),
  },
  {
    id: "TIMEOUT",
    what: "a body that is too slow",
    clauses: ["ERROR-STATUSES", "BODY-TIME"],
    check: "body.timeout",
    more: { seconds: 17 },
    provoke: (trial) => timedOut(trial, right(trial)),
  },
];

export const gapRefusalCases: readonly Case[] = [
  ...refusals.map(({ id, what, clauses, check: name, more, provoke }): Case => ({
    id: `GAP-REFUSED-${id}`,
    title: `Status and code for ${what} are the profile's`,
    clauses,
    level: "gap",
    gaps: [`${name}.status`, `${name}.code`],
    requests: 12,
    ...more,
    async run(trial) {
      setUp(await trial.send(right(trial)), "the right request");
      const { [`${name}.status` as const]: status, [`${name}.code` as const]: code } = trial.profile.gaps;
      mustRefuse(await provoke(trial), { ...(status && { status }), ...(code && { code }) });
    },
  })),
  {
    id: "GAP-METHOD-ALLOW",
    title: "The refusal of a method says which one is allowed",
    clauses: ["METHOD-POST"],
    level: "gap",
    gaps: ["method.allow"],
    requests: 2,
    reading: "RFC 9110, 15.5.6: an answer 405 has an Allow header.",
    async run(trial) {
      setUp(await trial.send(right(trial)), "the right request");
      const exchange = await trial.send(withMethod(withBody(right(trial), ""), "GET"));
      const [allow = "none"] = exchange.answer?.headers.get("allow") ?? [];
      check(allow === trial.gap("method.allow"), `Allow: ${trial.gap("method.allow")}`, "another or none", exchange);
    },
  },
];
