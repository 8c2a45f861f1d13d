/**
 * Requests that reach the target at one moment, whose checks therefore overlap. Every connection stands before the first
 * byte that counts is sent; then each sends its last bytes in a write of its own, with nothing awaited in between.
 */
import { change } from "../interface/bodies.ts";
import { withHeader, type ActionBody, type Request } from "../interface/request.ts";
import { CUT_OFF } from "../http/answer-reader.ts";
import { saysClose, type Exchange } from "../http/exchange.ts";
import { wireForm } from "../http/wire-form.ts";
import type { Connection } from "../http/raw.ts";
import type { Upload } from "../http/upload.ts";
import { askedOnce } from "./asked-once.ts";
import { servedArrivals } from "./arrivals.ts";
import { mustAnswer } from "./checks.ts";
import type { Shot } from "./limit-keys.ts";
import { begun } from "./slow-body.ts";
import type { Trial } from "./trial.ts";

type Pair = readonly [Shot, Shot];

/** Connections that are opened at the same time: a target may let few wait to be accepted. */
const OPENING = 8;

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
 * of them. Two of either route share a connection, where the target takes that: many servers turn to both before either is
 * carried out. All are answered: one that is lost may have been carried out.
 */
export async function lastBytesAtOnce(trial: Trial, bodies: readonly ActionBody[]): Promise<Exchange[]> {
  const shots = bodies.map((body, index) => ({
    request: trial.right(body, index % 2 === 0 ? trial.route : trial.sibling),
    from: trial.toldApart ? trial.freshAddress() : trial.from,
  }));
  const isPaired = shots.length >= 4 && (await pipelines(trial));
  const pairs = isPaired ? [[shots[0], shots[2]] as Pair, [shots[1], shots[3]] as Pair] : [];
  const alone = shots.filter((shot) => !pairs.flat().includes(shot));
  const finishing = pairs.map((pair) => owingPair(trial, pair));
  const uploads = await opened(alone, ({ request, from }) => begun(trial, request, from));
  await trial.barrier();
  const ofPairs = Promise.all(finishing.map((finish) => finish()));
  const ofOthers = await Promise.all(uploads.map((upload) => trial.finish(upload)));
  const all = [...(await ofPairs).flat(), ...ofOthers];
  const sent = [...pairs.flat(), ...alone];
  return shots.map((shot) =>
    mustAnswer(all[sent.indexOf(shot)] as Exchange, "one of several requests at the same time"),
  );
}

const once = askedOnce<boolean>();

/** Whether what stands behind another request is answered, also where that one is refused. */
const pipelines = (trial: Trial): Promise<boolean> =>
  once(trial.server, "pipelines", async () => {
    if (!(await servedArrivals(trial)).connection.includes("pipelined behind another")) return false;
    const { flowId, revision } = await trial.flow();
    const { answer } = await trial.post(change("set_waiting", { flowId, revision: revision + 1 }));
    return answer !== undefined && !saysClose(answer);
  });

/** Right requests of two routes at one moment: over one connection where the target takes that, the first one before. */
export async function pairAtOnce(trial: Trial, ...requests: [Request, Request]): Promise<[Exchange, Exchange]> {
  const shots = requests.map((request) => ({ request, from: trial.from })) as unknown as Pair;
  const finish = (await pipelines(trial)) ? owingPair(trial, shots) : () => atOnce(trial, shots);
  await trial.barrier();
  return (await finish()) as [Exchange, Exchange];
}

/** Two requests of one connection, in flight but for the last byte of the first, which is sent with the second. */
function owingPair(trial: Trial, shots: Pair): () => Promise<Exchange[]> {
  const { origin, target } = trial.server;
  const [{ from }] = shots;
  const connection = trial.connection(shots.length, from);
  const sent = shots.map(({ request }) => trial.record.departs(request, from));
  const wire = Buffer.concat(shots.map(({ request }) => wireForm(origin, request)));
  const owed = wire.byteLength - wireForm(origin, shots[1].request).byteLength - 1;
  connection.write(wire.subarray(0, owed));
  return async () => {
    connection.write(wire.subarray(owed));
    const answers = () => connection.answersTo(shots.map(({ request }) => request.method));
    await connection.until(() => answers().length === shots.length, target.requestTimeoutMs);
    const kept = shots.map(({ request }, at) => {
      const answer = answers()[at];
      const { fault = CUT_OFF } = connection;
      return trial.record.keep({ request, from, ...(answer ? { answer } : { fault }) }, sent[at], true);
    });
    connection.abort();
    return kept;
  };
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
