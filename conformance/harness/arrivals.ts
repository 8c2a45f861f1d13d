/** The ways in which one request can arrive: framing, connection, and spelling of the request target. */
import { withPath, withProductHeader, type Request } from "../interface/request.ts";
import { wireForm, type Connection } from "../http/raw.ts";
import { cheap, type Key } from "./limit-keys.ts";
import type { Trial } from "./trial.ts";

export interface Arrival {
  readonly what: string;
  /** Sent in chunks of so many bytes at most; else with a Content-Length. */
  readonly chunk?: number;
  /** Behind the size of each chunk. */
  readonly extension?: string;
  /** Lines behind the last chunk. */
  readonly trailer?: string;
  /** The target sees the body in so many pieces. */
  readonly pieces?: number;
  readonly headers?: readonly string[];
  readonly version?: "1.0";
  /** What else the connection carries: a request that is answered before this one is sent, or one sent along with it. */
  readonly behind?: "an answered request" | "another request";
  change?(request: Request, trial: Trial): Request;
}

/** Each is a right request, and the path is the same in all of them (RFC 9112, 3.2.2: a server accepts the absolute form). */
export const arrivals: readonly Arrival[] = [
  { what: "with a Content-Length" },
  { what: "in one chunk", chunk: Number.POSITIVE_INFINITY },
  { what: "in chunks of 64 bytes", chunk: 64 },
  { what: "in chunks with an extension", chunk: 4096, extension: ";name=value" },
  { what: "in chunks with a trailer", chunk: 4096, trailer: "x-trailer: 1\r\n" },
  { what: "in four pieces", pieces: 4 },
  { what: "second on its connection", behind: "an answered request" },
  { what: "pipelined behind another", behind: "another request" },
  { what: "with Expect", headers: ["expect: 100-continue"] },
  { what: "as HTTP/1.0", version: "1.0" },
  { what: "at the path with a query", change: (request) => withPath(request, `${request.path}?a=1`) },
  { what: "at the path with an empty query", change: (request) => withPath(request, `${request.path}?`) },
  {
    what: "at the path in absolute form",
    change: (request, { instance }) => withPath(request, new URL(request.path, instance.origin).href),
  },
  {
    what: "with the secret in the product header",
    change: (request, trial) =>
      withProductHeader(request, trial.product, trial.routeAt(request.path)?.secret ?? "none at that path"),
  },
];

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A request on its way. */
export class Arriving {
  readonly arrival: Arrival;
  readonly #connection: Connection;
  /** What is still owed of it, piece by piece. */
  readonly #owed: Buffer[];
  readonly #trial: Trial;

  private constructor(trial: Trial, arrival: Arrival, connection: Connection, owed: Buffer[]) {
    this.#trial = trial;
    this.arrival = arrival;
    this.#connection = connection;
    this.#owed = owed;
  }

  /** Connects and sends the head and all of the body but its last `kept` bytes, which are owed one by one. */
  static async begin(trial: Trial, arrival: Arrival, key: Key, given: Request, kept: number): Promise<Arriving> {
    const request = arrival.change?.(given, trial) ?? given;
    const { behind } = arrival;
    const connection = trial.connection(behind === undefined ? 1 : 2, key.from);
    if (behind !== undefined) connection.write(trial.wire(cheap(trial, key)));
    if (behind === "an answered request") await connection.answered(1, trial.instance.target.requestTimeoutMs);
    const [first = Buffer.alloc(0), ...owed] = framed(trial, arrival, request, kept);
    const { pieces = 1 } = arrival;
    const size = Math.ceil(first.byteLength / pieces);
    for (let piece = 0; piece < pieces; piece += 1) {
      if (piece > 0) await trial.barrier();
      connection.write(first.subarray(piece * size, (piece + 1) * size));
    }
    return new Arriving(trial, arrival, connection, owed);
  }

  /** Sends the next piece of what is owed. */
  drip(): void {
    const next = this.#owed.shift();
    if (next !== undefined) this.#connection.write(next);
  }

  /** Sends all that is owed, and gives the status of the answer; undefined where the connection closed without one. */
  async finish(): Promise<number | undefined> {
    this.#connection.write(Buffer.concat(this.#owed.splice(0)));
    await this.answeredWithin(this.#trial.instance.target.requestTimeoutMs);
    return this.status;
  }

  async answeredWithin(ms: number): Promise<boolean> {
    const answered = await this.#connection.answered(this.#before + 1, ms);
    return answered || this.#connection.closed;
  }

  /** The answer's status; undefined as long as there is none. */
  get status(): number | undefined {
    return this.#connection.statuses[this.#before];
  }

  /** There is an answer, or the connection is closed. */
  get isOver(): boolean {
    return this.status !== undefined || this.#connection.closed;
  }

  get isAccepted(): boolean {
    return this.status !== undefined && isSuccess(this.status);
  }

  abort(): void {
    this.#connection.abort();
  }

  get #before(): number {
    return this.arrival.behind === undefined ? 0 : 1;
  }
}

/** Head and body in the pieces in which they are written; the last `kept` bytes of the body and the end are pieces of their own. */
function framed({ instance }: Trial, arrival: Arrival, request: Request, kept: number): Buffer[] {
  const { chunk, extension = "", trailer = "", headers = [], version } = arrival;
  const { body } = request;
  const bodiless = { ...request, body: new Uint8Array() };
  const framing = chunk === undefined ? [] : ["transfer-encoding: chunked"];
  const length = chunk === undefined ? body.byteLength : 0;
  const written = wireForm(instance.origin, bodiless, [...headers, ...framing], length).toString("latin1");
  const head = Buffer.from(version === undefined ? written : written.replace("HTTP/1.1", `HTTP/${version}`), "latin1");
  const encoded = (part: Uint8Array): Buffer => {
    if (chunk === undefined) return Buffer.from(part);
    const chunks: Buffer[] = [];
    for (let from = 0; from < part.byteLength; from += Math.min(chunk, part.byteLength)) {
      const data = part.subarray(from, Math.min(from + chunk, part.byteLength));
      chunks.push(
        Buffer.from(`${data.byteLength.toString(16)}${extension}\r\n`),
        Buffer.from(data),
        Buffer.from("\r\n"),
      );
    }
    return Buffer.concat(chunks);
  };
  const owed = Array.from({ length: kept }, (_, index) => body.byteLength - kept + index);
  const end = chunk === undefined ? [] : [Buffer.from(`0\r\n${trailer}\r\n`)];
  return [
    Buffer.concat([head, encoded(body.subarray(0, body.byteLength - kept))]),
    ...owed.map((index) => encoded(body.subarray(index, index + 1))),
    ...end,
  ];
}

/** Sends a whole request. */
export async function arrive(trial: Trial, arrival: Arrival, key: Key, request: Request): Promise<Arriving> {
  const arriving = await Arriving.begin(trial, arrival, key, request, 0);
  await arriving.finish();
  return arriving;
}

/** The ways in which the target takes a right request at all: some it need not serve. */
export async function servedArrivals(trial: Trial, key: Key): Promise<Arrival[]> {
  const served: Arrival[] = [];
  for (const arrival of arrivals) {
    if ((await arrive(trial, arrival, key, cheap(trial, key))).isAccepted) served.push(arrival);
  }
  return served;
}
