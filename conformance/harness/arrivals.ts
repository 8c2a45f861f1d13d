/** The ways in which one request can arrive: its framing, its target's form, and what else its connection carries. */
import { spoilt } from "../interface/broken-requests.ts";
import { withBody, withPath, type Request } from "../interface/request.ts";
import { CUT_OFF } from "../http/answer-reader.ts";
import type { Connection } from "../http/raw.ts";
import { isAccepted, saysClose, type Answer, type Exchange } from "../http/exchange.ts";
import { askedOnce } from "./asked-once.ts";
import { Unreached } from "./case-errors.ts";
import { framed, framings, type Framing } from "./framings.ts";
import { cheap, keyOf, type Key } from "./limit-keys.ts";
import { STALLED, type Trial } from "./trial.ts";

/** The path is the same in all of them (RFC 9112, 3.2.2: a server accepts the absolute form). */
export const targetForms = {
  "the path": (path: string) => path,
  "the path with a query": (path: string) => `${path}?a=1`,
  "the absolute form": (path: string, origin: string) => new URL(path, origin).href,
} as const;

interface Company {
  /** Sent and answered before the request, or along with it. */
  readonly before?: { readonly isRefused?: true; readonly isPipelined?: true };
  /** A right request is sent when the request has been answered. */
  readonly isFollowed?: true;
}

export const companies = {
  "the only request": {},
  "behind a refused request": { before: { isRefused: true } },
  "pipelined behind another": { before: { isPipelined: true } },
  "before a right request": { isFollowed: true },
} as const satisfies Record<string, Company>;

export interface Arrival {
  readonly framing: keyof typeof framings;
  readonly target: keyof typeof targetForms;
  readonly connection: keyof typeof companies;
}

export const usualArrival: Arrival = {
  framing: "a Content-Length",
  target: "the path",
  connection: "the only request",
};

/** Size of the neighbour of a large request: the body limit applies to each request, not to a connection. */
const BESIDE_LARGE_BYTES = 100_000;
/** Size of the neighbour of a small request: enough to leave bytes in a buffer that the target reuses. */
const BESIDE_SMALL_BYTES = 10_000;

/** Pads the body with blanks at its start, so that bytes left over from it in a reused buffer are no white space. */
function long(request: Request, beside: Request): Request {
  const bytes = beside.body.byteLength > BESIDE_SMALL_BYTES ? BESIDE_LARGE_BYTES : BESIDE_SMALL_BYTES;
  return withBody(request, Buffer.concat([Buffer.alloc(bytes - request.body.byteLength, " "), request.body]));
}

export const costOf = ({ connection }: Arrival): number => {
  const { before, isFollowed }: Company = companies[connection];
  return 1 + (before === undefined ? 0 : 1) + (isFollowed === true ? 1 : 0);
};

/** Another request of the connection, in chunks where its neighbour is: a buffer may keep what the first one left. */
function wireBeside({ server: { origin } }: Trial, arrival: Arrival, request: Request): Buffer {
  const framing: Framing = framings[arrival.framing];
  return Buffer.concat(framed(origin, framing.chunks === undefined ? {} : framing, request, 0));
}

export class Arriving {
  readonly arrival: Arrival;
  readonly #trial: Trial;
  readonly #key: Key;
  readonly #request: Request;
  readonly #connection: Connection;
  /** The pieces that are not sent yet. */
  readonly #owed: Buffer[] = [];
  #sent = 0;

  private constructor(trial: Trial, key: Key, arrival: Arrival, request: Request, connection: Connection) {
    this.#trial = trial;
    this.#key = key;
    this.arrival = arrival;
    this.#request = request;
    this.#connection = connection;
  }

  /**
   * Connects and sends the head and all of the body but its last `kept` bytes, which are owed one by one. `beside`: the
   * route of the request before it on the connection.
   */
  static async begin(
    trial: Trial,
    key: Key,
    arrival: Arrival,
    given: Request,
    kept: number,
    beside: Key["route"] = key.route,
  ): Promise<Arriving> {
    if (kept > 0 && trial.facts.stalls) throw new Unreached(STALLED);
    const { chunks, pieces = 1 }: Framing = framings[arrival.framing];
    const path = targetForms[arrival.target](given.path, trial.server.origin);
    const request = { ...withPath(given, path), ...(chunks !== undefined && { chunked: true }) };
    const connection = trial.connection(costOf(arrival), key.from);
    const arriving = new Arriving(trial, key, arrival, request, connection);
    const { before }: Company = companies[arrival.connection];
    if (before !== undefined) {
      const right = cheap(trial, { ...key, route: beside });
      const other = before.isRefused === true ? spoilt(right, "AUTH") : long(right, request);
      trial.record.gaveUp(trial.record.departs(other, key.from));
      connection.write(wireBeside(trial, arrival, other));
      if (before.isPipelined !== true) await connection.until(() => arriving.#answers.length > 0, arriving.#longestMs);
    }
    arriving.#sent = trial.record.departs(request, key.from);
    const [first = Buffer.alloc(0), ...owed] = framed(trial.server.origin, framings[arrival.framing], request, kept);
    arriving.#owed.push(...owed);
    const size = Math.ceil(first.byteLength / pieces);
    for (let piece = 0; piece < pieces; piece += 1) {
      if (piece > 0) await trial.barrier(piece > 1);
      connection.write(first.subarray(piece * size, (piece + 1) * size));
    }
    // The server reads this request, and starts its body timeout, once it has answered the one before.
    if (kept > 0) await connection.until(() => arriving.#answers.length >= arriving.#place, arriving.#longestMs);
    return arriving;
  }

  drip(): void {
    const next = this.#owed.shift();
    if (next !== undefined) this.#connection.write(next);
  }

  /** Sends the remaining pieces and reads the answer. */
  async finish(): Promise<Exchange> {
    this.#connection.write(Buffer.concat(this.#owed.splice(0)));
    await this.answeredWithin(this.#longestMs);
    return this.exchange();
  }

  exchange(): Exchange {
    return this.#exchangeOf(this.#request, this.#place, this.#sent);
  }

  async answeredWithin(ms: number): Promise<boolean> {
    return this.#connection.until(() => this.isOver, ms);
  }

  /** The answer is complete, or none can come: the connection is closed or has carried something else than HTTP. */
  get isOver(): boolean {
    return this.#isAnswered || this.#connection.closed || this.#connection.fault !== undefined;
  }

  /** The target closed the connection after the previous answer, as HTTP allows. */
  get isCutOff(): boolean {
    return !this.#isAnswered && this.#connection.closed && this.#answers.length === this.#place && this.#place > 0;
  }

  get before(): Answer | undefined {
    return this.#place > 0 ? this.#answers[0] : undefined;
  }

  /** Sends a right request over the same connection; undefined where the target has closed it. */
  async next(): Promise<Exchange | undefined> {
    const request = long(cheap(this.#trial, this.#key), this.#request);
    const place = this.#place + 1;
    const sent = this.#trial.record.departs(request, this.#key.from);
    this.#connection.write(wireBeside(this.#trial, this.arrival, request));
    await this.#connection.until(() => this.#answers.length > place, this.#longestMs);
    const isClosed = this.#connection.closed && this.#answers.length <= place;
    return isClosed ? undefined : this.#exchangeOf(request, place, sent);
  }

  /** The answer says that it is the last one: a client sends nothing more then (RFC 9112, 9.6). */
  get saysClose(): boolean {
    const answer = this.#answers[this.#place];
    return answer !== undefined && saysClose(answer);
  }

  abort(): void {
    this.#connection.abort();
    this.#trial.record.gaveUp(this.#sent);
  }

  #exchangeOf(request: Request, place: number, sent: number): Exchange {
    const answer = this.#answers[place];
    const { closed, fault = closed ? CUT_OFF : "no whole answer yet" } = this.#connection;
    const about = { request, from: this.#key.from };
    return this.#trial.record.keep(answer === undefined ? { ...about, fault } : { ...about, answer }, sent, true);
  }

  get #isAnswered(): boolean {
    return this.#answers.length > this.#place;
  }

  get #answers() {
    const { method } = this.#request;
    return this.#connection.answersTo(this.#place === 0 ? [method] : ["POST", method]);
  }

  get #place(): number {
    return "before" in companies[this.arrival.connection] ? 1 : 0;
  }

  get #longestMs(): number {
    return this.#trial.server.target.requestTimeoutMs;
  }
}

/**
 * Sends a whole request, and what follows it. `next`: the answer to the right request that was to follow over the same
 * connection; `isLast`: the connection was closed before that, `saysClose`: as the answer had said, so that nothing followed.
 */
export async function arrive(trial: Trial, key: Key, arrival: Arrival, request: Request, beside?: Key["route"]) {
  const arriving = await Arriving.begin(trial, key, arrival, request, 0, beside);
  try {
    const exchange = await arriving.finish();
    const { isFollowed }: Company = companies[arrival.connection];
    const { isCutOff, before, saysClose } = arriving;
    const next = isFollowed === true && !saysClose ? await arriving.next() : undefined;
    return { exchange, isCutOff, before, next, saysClose, isLast: isFollowed === true && next === undefined };
  } finally {
    arriving.abort();
  }
}

/** Values of each factor with which the target takes a right request at all; with the others it need not. */
type Served = { readonly [Factor in keyof Arrival]: readonly Arrival[Factor][] };

/** RFC 9112 requires all forms of a group from a server that supports one of them. */
const alike: readonly (readonly Arrival["framing"][])[] = [
  ["small chunks", "one chunk", "many chunks", "chunks with extensions and a trailer"],
  ["a Content-Length", "pieces, blanks before header values", "header names in capitals, no blanks behind them"],
];

const once = askedOnce<Served>();

/** The same for all cases of a server. */
export const servedArrivals = (trial: Trial): Promise<Served> =>
  once(trial.server, "arrivals", () => askedFor(trial.fresh()));

/** The framings of a body that is sent piece by piece. */
export async function servedBodies(trial: Trial): Promise<readonly Pick<Request, "chunked">[]> {
  return (await servedArrivals(trial)).framing.includes("small chunks") ? [{}, { chunked: true }] : [{}];
}

async function askedFor(trial: Trial): Promise<Served> {
  const key = keyOf(trial);
  const isServed = async (part: Partial<Arrival>): Promise<boolean> => {
    const { exchange, isLast } = await arrive(trial, key, { ...usualArrival, ...part }, cheap(trial, key));
    // Where a connection ends with each answer, a request behind it may be counted all the same, or not.
    return isAccepted(exchange) && !isLast;
  };
  const taken = async <Factor extends keyof Arrival>(factor: Factor, values: object) => {
    const all: Arrival[Factor][] = [];
    for (const value of Object.keys(values) as Arrival[Factor][]) {
      if (value === usualArrival[factor] || (await isServed({ [factor]: value }))) all.push(value);
    }
    return all;
  };
  const framing = new Set(await taken("framing", framings));
  for (const forms of alike) if (forms.some((form) => framing.has(form))) for (const form of forms) framing.add(form);
  return {
    framing: [...framing],
    target: await taken("target", targetForms),
    connection: await taken("connection", companies),
  };
}
