/** A connection that carries several requests. */
import { withHeader, type Request } from "../interface/request.ts";
import type { Connection } from "../http/raw.ts";
import type { Trial } from "./trial.ts";

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
