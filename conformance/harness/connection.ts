/** A connection that carries several requests. */
import { withHeader, type Request } from "../interface/request.ts";
import type { Connection } from "../http/raw.ts";
import { NotApplicable, Unreached } from "./case-errors.ts";
import { check } from "./checks.ts";
import type { Trial } from "./trial.ts";

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends requests at once over one connection, and reads until the target closes it behind the last one. */
export async function pipelined(trial: Trial, requests: readonly Request[], from = trial.from): Promise<Connection> {
  const connection = trial.connection(requests.length, from);
  const last = requests.length - 1;
  const wire = requests.map((request, at) =>
    trial.wire(at === last ? withHeader(request, "connection", "close") : request),
  );
  connection.write(Buffer.concat(wire));
  await connection.closedWithin(trial.instance.target.requestTimeoutMs);
  return connection;
}

/** Waits for the answer to a connection's first request. Not applicable where the target then closes the connection. */
export async function openAfterFirst(trial: Trial, connection: Connection): Promise<void> {
  await connection.answered(1, trial.instance.target.requestTimeoutMs);
  const [status = 0] = connection.statuses;
  if (!isSuccess(status)) throw new Unreached(`the first request of a connection was not accepted (${status})`);
  // By then a target that closes after its answer has done so.
  await trial.barrier();
  if (connection.closed || /^connection: *close\r$/im.test(connection.text))
    throw new NotApplicable("the target closes a connection after each answer");
}

/** Checks that a connection's second request is accepted. */
export async function secondAccepted(trial: Trial, connection: Connection, expected: string): Promise<void> {
  await connection.answered(2, trial.instance.target.requestTimeoutMs);
  const [, status] = connection.statuses;
  const silence = connection.closed ? "the connection closed" : "silence";
  check(status !== undefined && isSuccess(status), expected, `${status ?? silence}`);
}
