/** Section 8: the in-flight limit does not depend on the rate limit's windows. Needs a driven clock. */
import { describe, isAccepted } from "../../http/exchange.ts";
import { Failure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, setUp } from "../../harness/checks.ts";
import { acceptedSoon, cheap, fill, firstRefusal, keyOf } from "../../harness/limit-keys.ts";

/** Within the time that a body has, ms. */
const HELD_MS = 13_000;
/** This many turns take longer than a window, wherever it began. */
const ROUNDS = 5;

export const inFlightWindowCases: readonly Case[] = [
  {
    id: "IN-FLIGHT-ACROSS-WINDOWS",
    title: "Requests in flight stay counted when a window of the rate limit ends",
    clauses: ["IN-FLIGHT-8"],
    meetsLimits: true,
    needs: ["clock"],
    seconds: 65,
    requests: 110,
    reading:
      "Eight are held for 13 seconds, five times: the end of a window falls into one of them, whether windows begin with " +
      "a key's first request or are aligned to the clock.",
    async run(trial) {
      const key = keyOf(trial);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const { held } = await fill(trial, key);
        await trial.pass(HELD_MS);
        const ninth = await trial.send(cheap(trial, key), key.from);
        if (held.uploads.some((upload) => upload.answered))
          throw new Unreached("one of the eight was answered before its last byte was sent", [ninth]);
        check(!isAccepted(ninth), "a ninth request refused 13 seconds later as well", "it was accepted", ninth);
        const lost = firstRefusal(await held.finish());
        if (lost !== undefined) throw new Failure("the eight in flight accepted in the end", describe(lost), [lost]);
        setUp(await acceptedSoon(trial, key), "a request when none is in flight");
      }
    },
  },
];
