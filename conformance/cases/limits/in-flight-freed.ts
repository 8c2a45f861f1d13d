/** Section 8: each way in which a request ends frees its slot. */
import { cancelFlow, change, createFlow } from "../../interface/bodies.ts";
import { spoilt, type RefusalId } from "../../interface/broken-requests.ts";
import type { ActionBody } from "../../interface/request.ts";
import { IN_FLIGHT } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Instance } from "../../targets/instance.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import {
  acceptedSoon,
  cheap,
  eightRefused,
  firstRefusal,
  hold,
  keyOf,
  SETTLING_MS,
  type Key,
} from "../../harness/limit-keys.ts";
import { startedTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const common = { meetsLimits: true, requests: 40 } as const;
/** A connection that was broken off is noticed within this time, ms. */
const NOTICE_MS = 3000;

/** A slot is free within this time after its request's answer, ms, and is asked for so often. */
const FULL_MS = 2000;
const POLL_MS = 100;

/** Eight requests that end in some way; afterwards none of them may hold a slot. */
interface Ending {
  readonly id: string;
  readonly what: string;
  readonly more?: Partial<Case>;
  /** Brings about one of the eight endings. */
  end(trial: Trial, key: Key): Promise<unknown>;
}

const sendTo = (trial: Trial, key: Key, ...refusals: RefusalId[]) =>
  trial.send(spoilt(cheap(trial, key), ...refusals), key.from);

/** Every other one is refused while its body is still to come. */
async function refusedInTurns(trial: Trial, key: Key): Promise<unknown> {
  if (trial.requests % 2 === 0) return sendTo(trial, key, "AUTH");
  const upload = await trial.upload(spoilt(cheap(trial, key), "AUTH"), { from: key.from });
  await upload.write(1);
  await upload.answeredWithin(1000);
  return trial.finish(upload);
}

const postTo = (trial: Trial, key: Key, body: ActionBody) => trial.send(trial.right(body, key.route), key.from);

const endings: readonly Ending[] = [
  { id: "SUCCESS", what: "answered with success", end: (trial, key) => sendTo(trial, key) },
  { id: "WRONG-SECRET", what: "refused for a wrong secret", end: refusedInTurns },
  { id: "BAD-JSON", what: "refused for malformed JSON", end: (trial, key) => sendTo(trial, key, "BAD-JSON") },
  {
    id: "UNKNOWN-ACTION",
    what: "refused for an unknown action",
    end: (trial, key) => postTo(trial, key, { action: "no_such_action" }),
  },
  {
    id: "ABSENT-FLOW",
    what: "refused for an absent flow",
    end: (trial, key) => postTo(trial, key, change("finish_flow", { flowId: "absent", revision: 0 })),
  },
  {
    id: "CONFLICT",
    what: "refused for a revision that is not the flow's",
    more: { requests: 60 },
    async end(trial, key) {
      const { flowId, revision } = await trial.flow();
      await postTo(trial, key, change("finish_flow", { flowId, revision: revision + 1000 }));
    },
  },
  {
    id: "PENDING-CANCEL",
    what: "answered with a pending cancellation",
    more: { requests: 60 },
    async end(trial, key) {
      const { flowId } = await trial.flow();
      await startedTask(trial, flowId, { status: "running" });
      const { fields } = trial.profile;
      const exchange = await postTo(trial, key, cancelFlow(flowId, fields));
      if (exchange.answer?.status !== 202) throw new NotApplicable("no cancellation is pending");
    },
  },
  {
    id: "NOT-STORED",
    what: "refused because nothing could be stored",
    more: { needs: ["persistence"], alone: true },
    async end(trial, key) {
      await trial.control.persistence(["create"]);
      try {
        const exchange = await postTo(trial, key, createFlow());
        if (isAccepted(exchange)) throw new NotApplicable("what cannot be stored is accepted");
      } finally {
        await trial.control.persistence([]);
      }
    },
  },
  {
    id: "ABORT-IN-BODY",
    what: "broken off by the client within the body",
    async end(trial, key) {
      const { uploads } = await hold(trial, key, 1);
      for (const upload of uploads) upload.abort();
    },
  },
  {
    id: "ABORT-IN-CHUNKS",
    what: "broken off by the client between two chunks",
    async end(trial, key) {
      const { uploads } = await hold(trial, key, 1, { ...cheap(trial, key), chunked: true });
      for (const upload of uploads) upload.abort();
    },
  },
  {
    id: "ABORT-BEFORE-BODY",
    what: "broken off by the client before the body",
    async end(trial, key) {
      (await trial.upload(cheap(trial, key), { from: key.from })).abort();
    },
  },
  {
    id: "ABORT-AFTER-BODY",
    what: "broken off by the client while it waits for the answer",
    async end(trial, key) {
      const upload = await trial.upload(cheap(trial, key), { from: key.from });
      await upload.write();
      upload.abort();
    },
  },
  {
    id: "TOO-LARGE",
    what: "refused for a body that is too large",
    async end(trial, key) {
      const request = cheap(trial, key);
      const upload = await trial.upload(request, { from: key.from, announced: 1_000_000 });
      await upload.write();
      await upload.answeredWithin(1000);
      upload.abort();
    },
  },
];

/** Beside seven others: an ending that frees two slots shows only while another one is taken. */
const freedOnce: Case = {
  ...common,
  id: "IN-FLIGHT-FREED-ONCE",
  title: "A request that ends beside seven others frees one slot, its own",
  clauses: ["IN-FLIGHT-8", "IN-FLIGHT-FREED"],
  requests: 110,
  async run(trial) {
    const key = keyOf(trial);
    const { uploads } = await hold(trial, key, IN_FLIGHT - 1);
    for (const { what, end } of endings.filter(({ more }) => more === undefined)) {
      await end(trial, key);
      const left = await fullBeside(trial, key);
      if (uploads.some((upload) => upload.answered))
        throw new Unreached("one of the seven was answered before its last byte was sent");
      if (left === undefined) continue;
      const expected = `a ninth request refused beside eight, after one that was ${what}`;
      throw new Failure(expected, describe(left), [left]);
    }
  },
};

/** The answer to a ninth request beside an eighth that was in flight, where it is no refusal. */
async function fullBeside(trial: Trial, key: Key): Promise<Exchange | undefined> {
  let ninth: Exchange | undefined;
  const isHeld = await trial.until(
    async () => {
      const { uploads, finish } = await hold(trial, key, 1);
      // It may overtake the eighth, which may be refused as well.
      const isSeen = async () => {
        ninth = await trial.send(cheap(trial, key), key.from);
        return !isAccepted(ninth) || uploads.some((upload) => upload.answered);
      };
      await trial.until(isSeen, SETTLING_MS, POLL_MS);
      // Refused where the slot of the request before was not free yet; a target may say so only once it has the whole body.
      return firstRefusal(await finish()) === undefined;
    },
    FULL_MS,
    POLL_MS,
  );
  if (!isHeld)
    throw new Unreached("an eighth request could not be held beside seven, so nothing can be seen of the limit");
  return ninth !== undefined && isAccepted(ninth) ? ninth : undefined;
}

const asked = new WeakMap<Instance, Promise<Exchange | undefined>>();

/** The refusal of one of eight requests that are held where nothing has ended; asked for once. */
function eightCanBeHeld(trial: Trial): Promise<Exchange | undefined> {
  const known = asked.get(trial.instance) ?? eightRefused(trial, keyOf(trial, { route: trial.stranger }));
  asked.set(trial.instance, known);
  return known;
}

const freed: readonly Case[] = endings.map(({ id, what, more, end }) => ({
  ...common,
  id: `IN-FLIGHT-FREED-${id}`,
  title: `Eight requests ${what} are no longer in flight`,
  clauses: ["IN-FLIGHT-FREED"],
  ...more,
  async run(trial) {
    const key = keyOf(trial);
    // Of another key: a slot that is not given back would be missing here.
    mustTakeTwin(await trial.send(cheap(trial, keyOf(trial, { route: trial.sibling }))));
    const before = await eightCanBeHeld(trial);
    if (before !== undefined)
      throw new Unreached(`eight requests cannot be held at all: ${describe(before)}`, [before]);
    for (let index = 0; index < IN_FLIGHT; index += 1) await end(trial, key);
    mustAccept(await acceptedSoon(trial, key, NOTICE_MS), `a request accepted after eight ${what}`);
    // All eight slots, not just one: eight may be held again.
    const refused = await eightRefused(trial, key);
    if (refused === undefined) return;
    throw new Failure(`eight requests in flight after eight ${what}`, describe(refused), [refused]);
  },
}));

export const inFlightFreedCases: readonly Case[] = [...freed, freedOnce];
