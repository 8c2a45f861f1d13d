/** Section 8: how slowly a body may come. */
import { randomUUID } from "node:crypto";
import { createFlow } from "../../../fixtures/bodies.ts";
import { chunked, type Request } from "../../../fixtures/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import { HarnessError } from "../../http/harness-error.ts";
import { Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, chunksTaken, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { openAfterFirst, secondAccepted } from "../../harness/connection.ts";
import { mustNotBeCreated } from "../../harness/flows.ts";
import { answeredSoon, owing, passUntil } from "../../harness/slow-body.ts";

const common = { requests: 12 } as const;

/** A body that was finished later than this may have been late for the target, ms. */
const NEARLY_15_SECONDS_MS = 14_900;
/** The refusal of a body that is late comes within this time, ms. */
const LATE_MS = 2500;

/** Bodies that stop arriving. */
const silences: readonly Case[] = [
  { id: "NOTHING-15-SECONDS", what: "of which nothing arrives", sent: 0, frame: (request: Request) => request },
  {
    id: "SILENCE-15-SECONDS-CHUNKED",
    what: "in chunks that do not end",
    sent: 10,
    frame: (request: Request) => chunked(request),
  },
].map(({ id, what, sent, frame }) => ({
  ...common,
  id: `BODY-${id}`,
  title: `A body ${what} within 15 seconds is refused`,
  clauses: ["BODY-TIME"],
  seconds: 18,
  async run(trial) {
    twin(chunksTaken(await trial.send(frame(trial.right()))));
    const { upload } = await owing(trial, frame(trial.right()), sent);
    await trial.pass(15_500);
    const inTime = await answeredSoon(trial, upload, LATE_MS);
    check(inTime, "a refusal after 15 seconds", "silence", upload.pending());
    mustRefuse(await trial.answerOf(upload));
  },
}));

export const bodyTimeCases: readonly Case[] = [
  {
    ...common,
    id: "BODY-14-SECONDS",
    title: "A body that arrives within 14 seconds is read",
    clauses: ["BODY-TIME"],
    seconds: 15,
    async run(trial) {
      const { upload, since } = await owing(trial, trial.right(), 10);
      await passUntil(trial, since, 14_000);
      const exchange = { ...(await trial.finish(upload)), pause: { bytes: 10, ms: 14_000 } };
      if (!isAccepted(exchange) && trial.now() - since > NEARLY_15_SECONDS_MS) {
        throw new HarnessError("the machine was too busy to send a body within 15 seconds");
      }
      mustAccept(exchange, "a body accepted that took 14 seconds");
    },
  },
  {
    ...common,
    id: "BODY-SILENCE-15-SECONDS",
    title: "A body that does not arrive within 15 seconds is refused, and the refusal is delivered",
    clauses: ["BODY-TIME", "ANSWER-DELIVERED"],
    seconds: 18,
    async run(trial) {
      const { upload, since } = await owing(trial, trial.right(), 10);
      await passUntil(trial, since, 14_000);
      check(!upload.answered, "no answer within 14 seconds", "an answer", upload.pending());
      await trial.pass(1500);
      const inTime = await answeredSoon(trial, upload, 2500);
      check(inTime, "a refusal after 15 seconds", "silence", upload.pending());
      mustRefuse(await trial.answerOf(upload));
    },
  },
  ...silences,
  {
    ...common,
    id: "BODY-DRIP-15-SECONDS",
    title: "A body that arrives byte by byte is refused 15 seconds after it began",
    clauses: ["BODY-TIME"],
    seconds: 18,
    reading: "15 seconds are for the whole body: a byte now and then does not start them again.",
    async run(trial) {
      twin(await trial.send(trial.right()));
      const { upload } = await owing(trial, trial.right(), 1);
      for (let second = 0; second < 15; second += 1) {
        await trial.pass(1000);
        await upload.write(1);
      }
      await trial.pass(800);
      const inTime = await answeredSoon(trial, upload, 2500);
      check(inTime, "a refusal after 15 seconds", "silence", upload.pending());
      mustRefuse(await trial.answerOf(upload));
    },
  },
  {
    ...common,
    id: "BODY-LATE-NOT-CARRIED-OUT",
    title: "A request that was refused after 15 seconds is not carried out when the rest of its body comes",
    clauses: ["BODY-TIME"],
    seconds: 18,
    async run(trial) {
      const late = `late ${randomUUID()}`;
      const wire = trial.wire(trial.right(createFlow(late)));
      const connection = trial.connection(1);
      connection.write(wire.subarray(0, -10));
      await trial.barrier();
      await trial.pass(15_500);
      if (!(await connection.answered(1, LATE_MS))) throw new Unreached("the body that was late was not refused");
      connection.write(wire.subarray(-10));
      await trial.barrier();
      await mustNotBeCreated(trial, late, "refused");
    },
  },
  {
    ...common,
    id: "BODY-TIME-PER-REQUEST",
    title: "Each request of a connection has 15 seconds of its own for its body",
    clauses: ["BODY-TIME"],
    seconds: 17,
    reading: "The first takes 10 seconds, the second 6: a target that closes behind each answer has no second one.",
    async run(trial) {
      twin(await trial.send(trial.right()));
      const wire = trial.wire(trial.right());
      const connection = trial.connection(2);
      connection.write(wire.subarray(0, -10));
      await trial.barrier();
      await trial.pass(10_000);
      connection.write(wire.subarray(-10));
      await openAfterFirst(trial, connection);
      connection.write(wire.subarray(0, -10));
      await trial.barrier();
      await trial.pass(6000);
      connection.write(wire.subarray(-10));
      await secondAccepted(trial, connection, "a second body of the connection accepted that took 6 seconds");
    },
  },
  {
    ...common,
    id: "BODY-15-SECONDS-EDGE",
    title: "A body that is whole a millisecond before 15 seconds is read, one that is not after them is refused",
    clauses: ["BODY-TIME"],
    needs: ["clock"],
    seconds: 16,
    async run(trial) {
      const first = await owing(trial, trial.right(), 10);
      const second = await owing(trial, trial.right(), 10);
      await passUntil(trial, first.since, 14_999);
      mustAccept(await trial.finish(first.upload), "a body accepted that took 14.999 seconds");
      await trial.pass(2);
      const inTime = await answeredSoon(trial, second.upload, 2500);
      check(inTime, "a refusal after 15.001 seconds", "silence", second.upload.pending());
      mustRefuse(await trial.answerOf(second.upload));
    },
  },
];
