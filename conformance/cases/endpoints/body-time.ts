/** Section 8: how slowly a body may come. */
import { randomUUID } from "node:crypto";
import { createFlow } from "../../interface/bodies.ts";
import { paddedTo, withBody } from "../../interface/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import { BODY_MS, REAL_SLACK_MS, type Interval } from "../../interface/limits.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { mustNotBeCreated } from "../../harness/flows.ts";
import { edge, isAllowed, mustBeNarrow, mustMeasure } from "../../harness/measure.ts";
import { servedBodies } from "../../harness/arrivals.ts";
import { answeredSoon, begun, LATE_MS, owing, passUntil } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";

/** How long a real clock waits for the refusal of a body that stops, ms. */
const REAL_LONGEST_MS = 17_500;
/** A body that was to take 6 seconds and took so long may have run out of time, ms. */
const STALLED_MS = 12_000;
/** Shortly before the time, and beyond the tolerance, ms. */
const SURELY_MS = 50;

/** `since`: before its first byte was sent; `seen`: after the target had it, ms. */
type Owing = Awaited<ReturnType<typeof owing>> & { readonly seen: number };

/** What bodies show that are whole before the time, shortly before it and after it, and others that never are. */
async function realTime(trial: Trial): Promise<Interval> {
  const [before, close, after, ...silent] = (await Promise.all(
    Array.from({ length: 5 }, async () => ({ ...(await owing(trial, trial.right(), 10)), seen: trial.now() })),
  )) as [Owing, Owing, Owing, ...Owing[]];
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  const refusedAt = ({ upload, since }: Owing) =>
    upload.exchange().then((exchange) => {
      if (!isAccepted(exchange)) most = Math.min(most, trial.now() - since);
    });
  for (const one of silent) void refusedAt(one);
  // Each late enough, or early enough, whenever the target began to count.
  const ends = [
    before.since + BODY_MS - REAL_SLACK_MS,
    close.since + BODY_MS - SURELY_MS,
    after.seen + BODY_MS + REAL_SLACK_MS + SURELY_MS,
  ];
  for (const [index, one] of [before, close, after].entries()) {
    await trial.pass(Math.max(0, (ends[index] ?? 0) - trial.now()));
    const lasted = trial.now() - one.seen;
    const exchange = await trial.finish(one.upload);
    if (isAccepted(exchange)) least = Math.max(least, lasted);
    else most = Math.min(most, trial.now() - one.since);
  }
  await trial.until(
    () => Promise.resolve(most < Number.POSITIVE_INFINITY),
    REAL_LONGEST_MS - (trial.now() - before.since),
  );
  const value = { least, ...(most < Number.POSITIVE_INFINITY && { most }) };
  // One that was read after another was refused: the machine stalled.
  if (least > most || isAllowed(trial, "body time", value)) mustBeNarrow(value);
  return value;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The pieces leave most of it owed, bytes. */
const SLOW_BYTES = 64 * 1024;

export const bodyTimeCases: readonly Case[] = [
  {
    id: "BODY-DRIP-15-SECONDS",
    title: "A body that arrives in pieces, or never, is refused after 15 seconds, not before",
    clauses: ["BODY-TIME", "ANSWER-DELIVERED"],
    requests: 16,
    seconds: 18,
    reading:
      "15 seconds are for the whole body: no piece of it restarts them, be it a byte or 8 KiB, not even a first one after " +
      "5 seconds.",
    async run(trial) {
      const request = paddedTo(trial.right(), SLOW_BYTES);
      mustTakeTwin(await trial.send(request));
      const forms = await servedBodies(trial);
      const since = trial.now();
      const begin = () => Promise.all(forms.map((form) => begun(trial, { ...request, ...form }, trial.from, 0)));
      const [silent, dripping] = [await begin(), await begin()];
      const all = [...silent, ...dripping];
      await trial.barrier();
      for (let second = 1; second < 14; second += 1) {
        await trial.pass(1000);
        if (second < 5) continue;
        for (const upload of dripping) await upload.write(second % 2 === 0 ? 1 : 8192);
      }
      await passUntil(trial, since, 14_000);
      for (const upload of all) check(!upload.answered, "no answer within 14 seconds", "an answer", upload.pending());
      await trial.pass(1800);
      for (const upload of all) {
        const inTime = await answeredSoon(trial, upload, LATE_MS);
        check(inTime, "a refusal after 15 seconds", "no whole answer", upload.pending());
        mustRefuse(await trial.answerOf(upload));
      }
    },
  },
  {
    id: "BODY-15-SECONDS",
    title: "A body that arrives within 15 seconds is read, a later one is not",
    clauses: ["BODY-TIME"],
    requests: 12,
    seconds: 18,
    clock: "driven",
    reading:
      "Measured to the millisecond where the clock can be driven, else to 0.3 seconds: bodies that stop are refused then, " +
      "one that is whole before is read, and one that comes later is not.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      if (!trial.driven) return mustMeasure(trial, "body time", await realTime(trial));
      const isLate = async (ms: number) => {
        const { upload } = await owing(trial, trial.right(), 10);
        await trial.pass(ms);
        return !isAccepted(await trial.finish(upload));
      };
      const time = await edge(isLate, { guesses: [BODY_MS, BODY_MS + 1], least: 1, most: 4 * BODY_MS });
      const value = time === undefined ? { least: 4 * BODY_MS } : { least: time - 1, most: time };
      mustMeasure(trial, "body time", value);
    },
  },
  {
    id: "BODY-LATE-NOT-CARRIED-OUT",
    title: "A request refused after 15 seconds is not carried out when its body arrives later",
    clauses: ["BODY-TIME"],
    requests: 12,
    seconds: 18,
    reading:
      "Neither when the rest of its body comes, nor before, where only blanks are missing, nor, where the rest is a request " +
      "by itself, as the next one of its connection.",
    async run(trial) {
      const [late, blank, within] = [`late ${randomUUID()}`, `blank ${randomUUID()}`, `within ${randomUUID()}`];
      const next = trial.wire(trial.right(createFlow(within)));
      const right = trial.right(createFlow(blank));
      const sent = [
        { wire: trial.wire(trial.right(createFlow(late))), owed: 10 },
        { wire: trial.wire(paddedTo(right, right.body.byteLength + 10)), owed: 10 },
        { wire: trial.wire(withBody(trial.right(), next)), owed: next.byteLength },
      ].map(({ wire, owed }) => ({ wire, owed, connection: trial.connection(1) }));
      for (const { wire, owed, connection } of sent) connection.write(wire.subarray(0, -owed));
      await trial.barrier();
      await trial.pass(15_500);
      for (const { wire, owed, connection } of sent) {
        if (!(await connection.answered(1, LATE_MS))) throw new Unreached("the late body was not refused", [], "body");
        connection.write(wire.subarray(-owed));
      }
      await trial.barrier();
      await mustNotBeCreated(trial, {
        refused: late,
        "refused with all but blanks there": blank,
        "in the body of a refused one": within,
      });
    },
  },
  {
    id: "BODY-TIME-PER-REQUEST",
    title: "Each request on a connection has 15 seconds of its own for its body",
    clauses: ["BODY-TIME"],
    requests: 12,
    seconds: 17,
    reading: "The first takes 10 seconds, the second 6: a target that closes after each answer has no second request.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      const wire = trial.wire(trial.right());
      const connection = trial.connection(2);
      connection.write(wire.subarray(0, -10));
      await trial.barrier();
      await trial.pass(10_000);
      connection.write(wire.subarray(-10));
      const { requestTimeoutMs } = trial.server.target;
      await connection.answered(1, requestTimeoutMs);
      const [first = 0] = connection.statuses;
      if (!isSuccess(first)) throw new Unreached(`the first request of a connection was not accepted (${first})`);
      // By then a target that closes after its answer has done so.
      await trial.barrier();
      if (connection.closed || /^connection: *close\r$/im.test(connection.text))
        throw new NotApplicable("the target closes a connection after each answer");
      const since = trial.now();
      connection.write(wire.subarray(0, -10));
      await trial.barrier();
      await trial.pass(6000);
      connection.write(wire.subarray(-10));
      if (trial.now() - since > STALLED_MS)
        throw new Unreached("the machine stalled while the second body was owed", [], "body");
      await connection.answered(2, requestTimeoutMs);
      const [, second = connection.closed ? "the connection closed" : "no whole answer"] = connection.statuses;
      const expected = "a second body of the connection accepted that took 6 seconds";
      check(typeof second === "number" && isSuccess(second), expected, `${second}`);
    },
  },
];
