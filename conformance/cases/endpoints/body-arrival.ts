/** Section 8: bodies that come late, in pieces, or one after the other over one connection. */
import { randomUUID } from "node:crypto";
import { createFlow } from "../../../fixtures/bodies.ts";
import { chunked, paddedTo, validRequest, type Request } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Connection } from "../../http/raw.ts";
import type { Trial } from "../../harness/trial.ts";
import { chunksTaken } from "./body.ts";
import { mustNotBeCreated, mustShow } from "../../harness/flows.ts";
import { answeredSoon, owing } from "../../harness/slow-body.ts";

const common = { level: "must", requests: 8 } as const;
/** The refusal of a body that is late comes within this time, ms. */
const LATE_MS = 2500;

const create = (trial: Trial, goal?: string): Request => validRequest(trial.route, createFlow(goal));

/** Bodies that stop coming in some way. */
const silences: readonly Case[] = [
  { id: "NOTHING-15-SECONDS", what: "of which nothing arrives", sent: 0, frame: (request: Request) => request },
  { id: "SILENCE-15-SECONDS-CHUNKED", what: "in chunks that do not end", sent: 10, frame: chunked },
].map(({ id, what, sent, frame }) => ({
  ...common,
  id: `BODY-${id}`,
  title: `A body ${what} within 15 seconds is refused`,
  clauses: ["BODY-TIME"],
  seconds: 18,
  async run(trial) {
    twin(chunksTaken(await trial.send(frame(create(trial)))));
    const { upload } = await owing(trial, frame(create(trial)), sent);
    await trial.pass(15_500);
    const inTime = await answeredSoon(trial, upload, LATE_MS);
    check(inTime, "a refusal after 15 seconds", "silence", upload.pending());
    mustRefuse(await trial.answerOf(upload));
  },
}));

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The answer to a connection's first request, after which it has to stay open for the case to go on. */
async function openAfterFirst(trial: Trial, connection: Connection): Promise<void> {
  await connection.answered(1, trial.instance.target.requestTimeoutMs);
  const [status = 0] = connection.statuses;
  if (!isSuccess(status)) throw new Unreached(`the first request of a connection was not accepted (${status})`);
  // By then a target that closes behind its answer has done so.
  await trial.barrier();
  if (connection.closed || /^connection: *close\r$/im.test(connection.text))
    throw new NotApplicable("the target closes a connection behind each answer");
}

/** The answer to a connection's second request. */
async function secondAccepted(trial: Trial, connection: Connection, expected: string): Promise<void> {
  await connection.answered(2, trial.instance.target.requestTimeoutMs);
  const [, status] = connection.statuses;
  const silence = connection.closed ? "the connection closed" : "silence";
  check(status !== undefined && isSuccess(status), expected, `${status ?? silence}`);
}

export const bodyArrivalCases: readonly Case[] = [
  ...silences,
  {
    ...common,
    id: "BODY-LATE-NOT-CARRIED-OUT",
    title: "A request that was refused after 15 seconds is not carried out when the rest of its body comes",
    clauses: ["BODY-TIME"],
    seconds: 18,
    async run(trial) {
      const late = `late ${randomUUID()}`;
      const wire = trial.wire(create(trial, late));
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
      twin(await trial.send(create(trial)));
      const wire = trial.wire(create(trial));
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
    id: "BODY-SIZE-PER-REQUEST",
    title: "The size limit is for each body, not for all that one connection carries",
    clauses: ["BODY-SIZE"],
    async run(trial) {
      twin(await trial.send(create(trial)));
      const wire = trial.wire(paddedTo(create(trial), 200_000));
      const connection = trial.connection(2);
      connection.write(wire);
      await openAfterFirst(trial, connection);
      connection.write(wire);
      await secondAccepted(trial, connection, "a second body of 200,000 bytes accepted");
    },
  },
  {
    ...common,
    id: "BODY-SPLIT-CHARACTER",
    title: "A character whose bytes arrive in two pieces is one character",
    clauses: ["FLOW-GOAL", "BODY-OBJECT"],
    reading: "A reader that makes text of each piece by itself spoils the character between them, or refuses it.",
    async run(trial) {
      const goal = `${randomUUID()} \u6f22\u5b57`;
      const request = create(trial, goal);
      const upload = await trial.upload(request);
      // One byte of the three, in a packet of its own.
      await upload.write(Buffer.from(request.body).indexOf("\u6f22") + 1);
      await trial.barrier();
      const exchange = mustAccept(await trial.finish(upload));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "goal", goal);
    },
  },
];
