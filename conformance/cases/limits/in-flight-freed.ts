/** Section 8: each way in which a request ends frees its slot, and no other. */
import { cancelFlow, change } from "../../interface/bodies.ts";
import { spoilt, type RefusalId } from "../../interface/broken-requests.ts";
import { withBody, type ActionBody, type Request } from "../../interface/request.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { wireForm } from "../../http/raw.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { Failure, leftOut, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { cheap, firstRefusal, hold, keyOf, SETTLING_MS, type Key } from "../../harness/limit-keys.ts";
import { startedTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** A slot is free within this time after its request is over, as when its connection was broken off, ms. */
const NOTICE_MS = 3000;
/** A target closes a connection that cannot go on within this time, or it stays as it is, ms. */
const BRIEFLY_MS = 500;
/** Between the first two tries, ms. */
const POLL_MS = 100;
/** Held bodies that are older are sent to their end, and others held in their place: they have 15 seconds, ms. */
const OLD_MS = 8000;

/** Another key after so many requests, where there is one: a refusal by the rate limit would look like one for those in flight. */
const MOST_REQUESTS = 70;
/** Where all endings have one key: what its budget has room for, with the last ending's own requests to come. */
const MOST_OF_BUDGET = REQUESTS_PER_WINDOW - 12;

/** How often an ending is tried beside bodies whose time does not run out. */
const TRIES = 3;

/** Requests that are held meanwhile. Beside seven there would be no slot for an ending to take in vain. */
const OTHERS = IN_FLIGHT - 2;

/** Sends a request, and brings it to its end. */
type End = (trial: Trial, key: Key) => Promise<unknown>;

const refusedFor =
  (refusals: readonly RefusalId[], framing: Pick<Request, "chunked"> = {}): End =>
  (trial, key) =>
    trial.send({ ...spoilt(cheap(trial, key), ...refusals), ...framing }, key.from);

const answered =
  (body: ActionBody): End =>
  (trial, key) =>
    trial.send(trial.right(body, key.route), key.from);

/** Broken off when so many bytes of its body are sent, and by default when the target has them. */
const brokenOff =
  (bytesOf: (request: Request) => number, framing: Pick<Request, "chunked"> = {}, isAtOnce = false): End =>
  async (trial, key) => {
    const request = { ...cheap(trial, key), ...framing };
    const upload = await trial.upload(request, { from: key.from });
    await upload.write(bytesOf(request));
    if (!isAtOnce) await trial.barrier();
    upload.abort();
  };

/** Answered while its body is still to come, and then broken off or left so. */
const refusedEarly =
  (refusals: readonly RefusalId[], how: { announced?: number; isLeft?: true } = {}): End =>
  async (trial, key) => {
    const upload = await trial.upload(spoilt(cheap(trial, key), ...refusals), { from: key.from, ...how });
    await upload.write(1);
    await upload.answeredWithin(1000);
    if (how.isLeft !== true) upload.abort();
  };

const endings: Readonly<Record<string, End>> = {
  "answered with success": refusedFor([]),
  async "answered, on a connection that is kept open"(trial, key) {
    const connection = trial.connection(1, key.from);
    connection.write(trial.wire(cheap(trial, key)));
    await connection.answered(1, NOTICE_MS);
  },
  "refused for its method": refusedFor(["METHOD"]),
  "refused for its content type": refusedFor(["CONTENT-TYPE"]),
  "to be refused for its method while its body is owed": refusedEarly(["METHOD"], { isLeft: true }),
  "to be refused for its content type while its body is owed": refusedEarly(["CONTENT-TYPE"], { isLeft: true }),
  "refused for a wrong secret": refusedFor(["AUTH"]),
  "broken off by the client within its body, with a wrong secret": refusedEarly(["AUTH"]),
  "refused for malformed JSON": refusedFor(["BAD-JSON"]),
  "refused for an empty body": (trial, key) => trial.send(withBody(cheap(trial, key), ""), key.from),
  "broken off by the client within a body announced as too large": refusedEarly([], { announced: 1_000_000 }),
  "refused for malformed JSON in chunks": refusedFor(["BAD-JSON"], { chunked: true }),
  "refused for a body that is too large, in chunks": refusedFor(["TOO-LARGE"], { chunked: true }),
  async "refused for a malformed chunk"(trial, key) {
    const head = wireForm(trial.instance.origin, withBody(cheap(trial, key), ""), ["transfer-encoding: chunked"]);
    const connection = trial.connection(1, key.from);
    connection.write(head);
    await trial.barrier();
    connection.write(Buffer.from("zz\r\n"));
    await connection.closedWithin(BRIEFLY_MS);
  },
  "refused for an unknown action": answered({ action: "no_such_action" }),
  "refused for an absent flow": answered(change("finish_flow", { flowId: "absent", revision: 0 })),
  async "refused for a revision that is not the flow's"(trial, key) {
    const { flowId, revision } = await trial.flow();
    await answered(change("finish_flow", { flowId, revision: revision + 1000 }))(trial, key);
  },
  async "answered with a pending cancellation"(trial, key) {
    const { flowId } = await trial.flow();
    await startedTask(trial, flowId, { status: "running" });
    const exchange = await trial.send(trial.right(cancelFlow(flowId, trial.profile.fields)), key.from);
    if (exchange.answer?.status !== 202) throw new NotApplicable("no cancellation is pending");
  },
  "broken off by the client before the body": brokenOff(() => 0),
  "broken off by the client within the body": brokenOff(({ body }) => body.byteLength - 1),
  "broken off by the client between two chunks": brokenOff(({ body }) => body.byteLength - 1, { chunked: true }),
  "broken off by the client while it waits for the answer": brokenOff(({ body }) => body.byteLength),
  "broken off by the client right behind the body": brokenOff(({ body }) => body.byteLength, {}, true),
};

/** Holds as many more as make eight and sends a ninth; the first of them that is not answered as it has to be. */
async function wrongBeside(trial: Trial, key: Key): Promise<{ expected: string; exchange: Exchange } | undefined> {
  let [eighth, ninth]: (Exchange | undefined)[] = [];
  await trial.until(
    async () => {
      const { uploads, finish } = await hold(trial, key, IN_FLIGHT - OTHERS);
      // It may overtake those, which may be refused as well.
      const isSeen = async () => {
        ninth = await trial.send(cheap(trial, key), key.from);
        return !isAccepted(ninth) || uploads.some((upload) => upload.answered);
      };
      await trial.until(isSeen, SETTLING_MS, POLL_MS);
      // Refused where the slot of the request before was not free yet; a target may say so only once it has the whole body.
      eighth = firstRefusal(await finish());
      return eighth === undefined;
    },
    NOTICE_MS,
    POLL_MS,
  );
  if (eighth !== undefined) return { expected: "eight requests in flight", exchange: eighth };
  if (ninth === undefined || !isAccepted(ninth)) return undefined;
  return { expected: "a ninth request refused beside eight", exchange: ninth };
}

export const inFlightFreedCases: readonly Case[] = [
  {
    id: "IN-FLIGHT-FREED",
    title: "A request that ends beside others frees its own slot and no other, however it ends",
    clauses: ["IN-FLIGHT-FREED", "IN-FLIGHT-8", "ORDER-METHOD-IN-FLIGHT"],
    meetsLimits: true,
    requests: 110,
    reading:
      "Beside six requests in flight one ends; then two more are let in, and a ninth is not. A slot may be free a moment " +
      "later. What method or content type refuse has never had one, also while its body is owed.",
    async run(trial) {
      // At a key of its own each time: a second try would use up the first one's budget.
      const others = async () => {
        const key = keyOf(trial.fresh());
        return { key, since: trial.now(), sent: trial.requests, ...(await hold(trial, key, OTHERS)) };
      };
      let held = await others();
      const mayNot = await wrongBeside(trial, held.key);
      if (mayNot !== undefined) {
        const { expected, exchange } = mayNot;
        const came = exchange.answer === undefined ? describe(exchange) : "another answer";
        throw new Unreached(`before any request ended: expected ${expected}; got ${came}`, [exchange]);
      }
      for (const [what, end] of Object.entries(endings)) {
        const isOver = () => held.uploads.some((upload) => upload.answered);
        let wrong: Awaited<ReturnType<typeof wrongBeside>>;
        let isLeftOut = false;
        // Their time may be over meanwhile: on a busy machine, or as another case lets time pass on the same clock.
        for (let tries = 1; tries === 1 || isOver(); tries += 1) {
          if (tries > TRIES) throw new Unreached("one of those in flight was answered before its last byte was sent");
          const isSpent = trial.requests - held.sent > MOST_REQUESTS && trial.toldApart;
          if (!trial.toldApart && trial.requests > MOST_OF_BUDGET)
            throw new Unreached("the endings have used the rate limit's budget up");
          if (isOver() || isSpent || trial.now() - held.since > OLD_MS) {
            await held.finish();
            held = await others();
          }
          isLeftOut = (await end(trial, held.key).catch(leftOut)) === false;
          wrong = isLeftOut ? undefined : await wrongBeside(trial, held.key);
        }
        if (isLeftOut) continue;
        if (wrong === undefined) continue;
        const { expected, exchange } = wrong;
        throw new Failure(`${expected}, after one that was ${what}`, describe(exchange), [exchange]);
      }
    },
  },
];
