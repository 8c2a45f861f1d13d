/** Section 4: which check answers where a limit is met, and what a refused request holds, asks for and waits for. The other pairs of checks: the REQUEST cases. */
import { refusalIds, refusals, spoilt } from "../../interface/broken-requests.ts";
import { withHeader } from "../../interface/request.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { servedArrivals, targetForms } from "../../harness/arrivals.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { cheap, keyOf } from "../../harness/limit-keys.ts";
import { engage } from "../../harness/refusals.ts";
import { answeredSoon, begun } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { namesOf } from "../../oracle/flow-factors.ts";
import { playLimitedRow, keyStates } from "../../oracle/limited-row.ts";
import { rowCase } from "../../oracle/row-case.ts";

const early = refusalIds.filter((id) => refusals[id].check !== "BODY");

/** Longest wait for an answer that must not wait for the body, ms. */
const EARLY_MS = 4000;

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

export const orderCases: readonly Case[] = [
  // The limits among the other checks, by the target's own answers to each alone.
  rowCase({
    ...common,
    id: "ORDER-LIMITS-FIRST",
    title: "The limits are checked before the secret and the body",
    clauses: [
      "ORDER-RATE-AUTH",
      "ORDER-RATE-BODY",
      "ORDER-IN-FLIGHT-AUTH",
      "ORDER-IN-FLIGHT-BODY",
      "RATE-120",
      "RATE-KEY-PATH",
      "IN-FLIGHT-8",
      "IN-FLIGHT-KEY-PATH",
    ],
    table: {
      factors: {
        state: [keyStates[1], keyStates[2]],
        credential: ["Bearer", "product header", "wrong", "none", "a wrong secret in the product header"],
        body: ["plain", "no JSON", "no body", "262,145 bytes"],
        framing: ["a Content-Length", "one chunk", "Expect", "HTTP/1.0", "pieces, blanks before header values"],
        target: namesOf(targetForms),
      },
      triples: [["state", "body", "framing"]],
    },
  }),
  rowCase({
    ...common,
    id: "ORDER-LIMITS-AFTER",
    title: "Method and content type are checked before the limits",
    clauses: ["ORDER-METHOD-RATE", "ORDER-METHOD-IN-FLIGHT"],
    table: {
      factors: {
        state: [keyStates[1], keyStates[2]],
        method: ["POST", "PUT", "GET"],
        "content type": ["text/plain", "application/json", "none"],
        credential: ["Bearer", "wrong"],
        body: ["plain", "no JSON"],
        framing: ["a Content-Length", "one chunk"],
        target: namesOf(targetForms),
      },
      allows: ({ method, "content type": type }) => method !== "POST" || type !== "application/json",
    },
  }),
  ...early.map((id): Case => ({
    meetsLimits: true,
    requests: 2 * REQUESTS_PER_WINDOW,
    id: `ORDER-${id}-ANSWERED-EARLY`,
    title: `The answer to a request with ${refusals[id].what} does not wait for its body`,
    clauses: ["ANSWER-EARLY"],
    level: "should",
    reading:
      "Some servers read a body through before they answer; nothing forbids it, but it holds a connection for whoever sends slowly.",
    async run(trial) {
      mustTakeTwin(await trial.send(cheap(trial, keyOf(trial))));
      const key = (await engage(trial, id))?.key ?? keyOf(trial);
      for (const framing of [{}, { chunked: true }] as const) {
        const upload = await begun(trial, { ...spoilt(cheap(trial, key), id), ...framing }, key.from);
        const answered = await answeredSoon(trial, upload, EARLY_MS);
        const expected = `an answer before the last byte of the body${framing.chunked ? ", which comes in chunks" : ""}`;
        check(answered, expected, "no whole answer", upload.pending());
        mustRefuse(await trial.answerOf(upload));
      }
    },
  })),
  // Whoever is asked for a body has not been refused: a client sends it for nothing.
  {
    id: "ORDER-CONTINUE-AFTER-CHECKS",
    title: "100 Continue is sent only after the checks before the body have passed",
    clauses: ["ANSWER-EARLY"],
    level: "should",
    meetsLimits: true,
    requests: 8,
    reading:
      "RFC 9110, 10.1.1: a server may send 100 Continue before it looks at the request, but then it asks for a body that it will not read.",
    async run(trial) {
      const right = withHeader(cheap(trial, keyOf(trial)), "expect", "100-continue");
      mustTakeTwin(await trial.finish(await trial.upload(right)));
      await trial.each(["METHOD", "CONTENT-TYPE", "AUTH"] as const, async (id) => {
        const upload = await trial.upload(spoilt(right, id));
        await answeredSoon(trial, upload, EARLY_MS);
        check(!upload.continued, `no 100 Continue with ${refusals[id].what}`, "100 Continue", upload.pending());
        await trial.finish(upload);
      });
    },
  },
];
