/** Section 8: the in-flight limit when requests arrive at one moment. */
import { IN_FLIGHT } from "../../interface/limits.ts";
import { HOME_ADDRESS } from "../../targets/lanes.ts";
import { isAccepted } from "../../http/exchange.ts";
import type { Upload } from "../../http/upload.ts";
import { headsAtOnce } from "../../harness/at-once.ts";
import { Failure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustRefuse } from "../../harness/checks.ts";
import { keyOf, SETTLING_MS, shotsAt } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";

interface Burst {
  readonly clients: number;
  /** Requests of each client. */
  readonly each: number;
}

const bursts: readonly Burst[] = [
  { clients: 1, each: IN_FLIGHT },
  { clients: 1, each: 24 },
  { clients: 12, each: 9 },
];

const owing = (uploads: readonly Upload[]): Upload[] => uploads.filter((upload) => !upload.answered);

/**
 * The most requests of one client that were in flight together; undefined where those of a client all came to nothing,
 * as on a target that cannot take so many connections.
 */
async function mostHeld(trial: Trial, { clients, each }: Burst): Promise<number | undefined> {
  // RATE-121-REFUSED uses up the budgets of the other two routes of a lane.
  const alone = trial.toldApart ? { route: trial.stranger, from: HOME_ADDRESS } : {};
  const keys = Array.from({ length: clients }, () =>
    keyOf(trial, clients === 1 ? alone : { from: trial.freshAddress() }),
  );
  const shots = keys.flatMap((key) => shotsAt(trial, key, each));
  const uploads = await headsAtOnce(trial, shots, 1);
  const ofEach = keys.map((_key, index) => uploads.slice(index * each, (index + 1) * each));
  // When it is answered all heads have been seen, also where a connection waits for a free worker.
  await trial.barrier();
  const isOver = () => Promise.resolve(ofEach.every((some) => owing(some).length <= IN_FLIGHT));
  await trial.until(isOver, SETTLING_MS);
  for (const upload of uploads.filter(({ answered }) => answered)) {
    const early = await trial.answerOf(upload);
    if (isAccepted(early)) throw new Unreached("a request was accepted before its last byte was sent", [early]);
    if (early.answer !== undefined) mustRefuse(early);
  }
  const held = ofEach.map(owing);
  const ended = await Promise.all(held.map((some) => Promise.all(some.map((upload) => trial.finish(upload)))));
  const accepted = ended.map((exchanges) => exchanges.filter(isAccepted).length);
  return accepted.includes(0) ? undefined : Math.max(...accepted);
}

export const inFlightAtOnceCases: readonly Case[] = [
  {
    id: "IN-FLIGHT-AT-ONCE",
    title: "Of requests that arrive at one moment eight of each client are in flight and no more",
    clauses: ["IN-FLIGHT-8", "IN-FLIGHT-KEY-ADDRESS"],
    meetsLimits: true,
    requests: 40,
    reading:
      "Twelve clients at once, each with more than eight requests that owe the last byte of their bodies: a limiter that " +
      "looks for a free slot and takes it later lets in too many. Of more than eight it may let in fewer. One client " +
      "alone comes from 127.0.0.1 where the target tells addresses apart: it is limited like any other.",
    async run(trial) {
      for (const burst of bursts) {
        if (burst.clients > 1 && !trial.toldApart) return;
        const most = await mostHeld(trial, burst);
        if (most === undefined && burst.clients > 1) return;
        if (most === undefined)
          throw new Unreached(`none of ${burst.each} requests was accepted in the end`, trial.last);
        if (burst.each <= IN_FLIGHT && most < burst.each)
          throw new Failure("eight requests in flight, all accepted", `${most} of them`, trial.last);
        if (most <= IN_FLIGHT) continue;
        const of = burst.clients === 1 ? "one client" : `one of ${burst.clients} clients`;
        throw new Failure("at most eight requests in flight", `more of ${of}`, trial.last);
      }
    },
  },
];
