/**
 * Requests that reach the target at one moment, whose checks therefore overlap. Every connection stands before the first
 * byte that counts is sent; then each sends its last bytes in a write of its own, with nothing awaited in between.
 */
import { withHeader, type ActionBody, type Request } from "../interface/request.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Connection } from "../http/raw.ts";
import type { Upload } from "../http/upload.ts";
import { mustAnswer } from "./checks.ts";
import { begun } from "./slow-body.ts";
import type { Trial } from "./trial.ts";

/** Connections that are opened at the same time: a target may let few wait to be accepted. */
const OPENING = 8;

export interface Shot {
  readonly request: Request;
  readonly from: string;
}

/** Whole requests at once: for the checks of the head, which come before the body. */
export async function atOnce(trial: Trial, shots: readonly Shot[]): Promise<Exchange[]> {
  const uploads = await headsAtOnce(trial, shots, 0);
  return Promise.all(uploads.map((upload) => trial.finish(upload)));
}

/** The same, of which each body still owes its last `owed` bytes. */
export async function headsAtOnce(trial: Trial, shots: readonly Shot[], owed: number): Promise<Upload[]> {
  const uploads = await opened(shots, ({ request, from }) =>
    trial.upload(request, { from, withheld: request.body.byteLength - owed }),
  );
  // The target has accepted the connections.
  await trial.barrier();
  for (const upload of uploads) upload.release();
  return uploads;
}

/**
 * Right requests through the route and its sibling in turns, where it can be each from an address of its own, of which
 * only the last byte is sent at once: for what comes after the body. Until then each is in flight, so a key may have eight
 * of them. All are answered: one that is lost may have been carried out.
 */
export async function lastBytesAtOnce(trial: Trial, bodies: readonly ActionBody[]): Promise<Exchange[]> {
  const shots = bodies.map((body, index) => ({
    request: trial.right(body, index % 2 === 0 ? trial.route : trial.sibling),
    from: trial.toldApart ? trial.freshAddress() : trial.from,
  }));
  const uploads = await opened(shots, ({ request, from }) => begun(trial, request, from));
  await trial.barrier();
  const answers = await Promise.all(uploads.map((upload) => trial.finish(upload)));
  return answers.map((exchange) => mustAnswer(exchange, "one of several requests at the same time"));
}

async function opened(shots: readonly Shot[], open: (shot: Shot) => Promise<Upload>): Promise<Upload[]> {
  const uploads: Upload[] = [];
  for (let next = 0; next < shots.length; next += OPENING)
    uploads.push(...(await Promise.all(shots.slice(next, next + OPENING).map(open))));
  return uploads;
}

/** Sends requests at once over one connection, and reads until the target closes it behind the last one. */
export async function pipelined(trial: Trial, requests: readonly Request[], from = trial.from): Promise<Connection> {
  const connection = trial.connection(requests.length, from);
  const last = requests.length - 1;
  const wire = requests.map((request, at) =>
    trial.wire(at === last ? withHeader(request, "connection", "close") : request, from),
  );
  connection.write(Buffer.concat(wire));
  await connection.closedWithin(trial.server.target.requestTimeoutMs);
  return connection;
}
