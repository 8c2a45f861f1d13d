/** Section 8: the in-flight limit and the rate limit's windows do not depend on each other. Needs a driven clock. */
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, setUp, mustTakeTwin } from "../../harness/checks.ts";
import { acceptedSoon, cheap, exhaust, fill, firstRefusal, hold, keyOf } from "../../harness/limit-keys.ts";

/** Within the time that a body has, ms. */
const HELD_MS = 13_000;
/** This many turns take longer than a window, wherever it began. */
const ROUNDS = 5;
/** How long bodies stay incomplete, less than the limit, ms. */
const OWED_MS = 5000;

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
  {
    id: "ORDER-RATE-HOLDS-NO-SLOT",
    title: "Requests refused by the rate limit are not counted as in flight while their body is owed",
    clauses: ["ORDER-RATE-IN-FLIGHT"],
    level: "must",
    costly: true,
    meetsLimits: true,
    needs: ["clock"],
    requests: REQUESTS_PER_WINDOW + 20,
    seconds: 61,
    reading: "Seen in the next window, with eight such requests still open.",
    async run(trial) {
      const key = keyOf(trial);
      mustRefuse(await exhaust(trial, key));
      // Their bodies have 15 seconds, too.
      await trial.pass(WINDOW_MS - OWED_MS);
      if (isAccepted(await trial.send(cheap(trial, key), key.from))) {
        throw new NotApplicable("windows that all begin at one moment: this one has ended before its time");
      }
      await hold(trial, key, IN_FLIGHT);
      await trial.pass(OWED_MS + 1000);
      mustTakeTwin(await trial.send(cheap(trial, keyOf(trial, { route: trial.sibling })), key.from));
      mustAccept(await trial.send(cheap(trial, key), key.from), "a request accepted in the next window");
    },
  },
];
