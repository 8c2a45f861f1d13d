/** One request sent piece by piece: bodies that are owed, dripped, aborted, or of another length than announced. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { Request } from "../interface/request.ts";
import { endpointOf, ReadingSocket } from "./endpoint.ts";
import { headerMap, type Answer, type Exchange } from "./exchange.ts";
import { MAX_HEADER_BYTES, transportFault } from "./client.ts";
import { Gathered, MAX_INTERIM_ANSWERS, TOO_MANY_INTERIM, type TooLarge } from "./gathered.ts";

/** An answer during an upload, or the transport's error. */
type Outcome = { answer: Answer } | { fault: string };

interface UploadOptions {
  readonly from: string;
  readonly timeoutMs: number;
  /** The Content-Length that goes with the head unless `chunked`, where a test lies; the whole length by default. */
  readonly announced?: number;
  /** Nothing is sent before `release`, and then the head and this many bytes of the body at once. */
  readonly withheld?: number;
}

export class Upload {
  readonly #request: Request;
  readonly #from: string;
  readonly #message: ClientRequest;
  readonly #socket = new ReadingSocket();
  readonly #outcome: Promise<Outcome>;
  #settled: Outcome | undefined;
  #sent = 0;
  /** Called when the kit closes the connection. */
  onAbort: (() => void) | undefined;
  /** True once the target has sent `100 Continue`. */
  continued = false;

  private constructor(origin: string, request: Request, options: UploadOptions) {
    const { from, timeoutMs, announced = request.body.byteLength } = options;
    const framing = request.chunked === true ? ["transfer-encoding", "chunked"] : ["content-length", String(announced)];
    this.#request = request;
    this.#from = from;
    this.#message = httpRequest({
      method: request.method,
      path: request.path,
      createConnection: () => this.#socket.connect(endpointOf(origin, from)),
      maxHeaderSize: MAX_HEADER_BYTES,
      // An early answer leaves the connection open, as for a client that keeps sending.
      headers: ["host", new URL(origin).host, ...request.headers.flat(), ...framing, "connection", "keep-alive"],
    });
    this.#message.on("continue", () => (this.continued = true));
    this.#outcome = outcomeOf(this.#message, origin, timeoutMs).then((outcome) => (this.#settled = outcome));
  }

  /** Connects and sends the head. The body is `request.body`, sent by `write`. */
  static async open(origin: string, request: Request, options: UploadOptions): Promise<Upload> {
    const upload = new Upload(origin, request, options);
    if (options.withheld !== undefined) upload.#socket.cork();
    upload.#message.flushHeaders();
    // Settles when it is released.
    void upload.write(options.withheld ?? 0);
    // A connection that fails is an outcome, not an error.
    await Promise.race([once(upload.#socket, "connect").catch(() => upload.#outcome), upload.#outcome]);
    return upload;
  }

  /** Sends what was withheld, in one write and before this returns. */
  release(): void {
    this.#socket.uncork();
  }

  /** Sends the next `bytes` of the body (all that is left by default); answers when they are handed to the system. */
  async write(bytes = this.#request.body.byteLength - this.#sent): Promise<void> {
    const piece = this.#request.body.subarray(this.#sent, this.#sent + bytes);
    this.#sent += piece.byteLength;
    if (piece.byteLength === 0 || this.#message.destroyed) return;
    const written = new Promise<void>((resolve) => this.#message.write(piece, () => resolve()));
    // After an answer the rest may never be taken.
    await Promise.race([written, this.#outcome]);
  }

  /** Sends what is left of the body, ends the request and returns the exchange. */
  async finish(): Promise<Exchange> {
    await this.write();
    this.#message.end();
    return this.exchange();
  }

  /** Closes the connection, as a client that goes away does. */
  abort(): void {
    this.#message.destroy();
    // After a whole answer the message lets go of it.
    this.#socket.destroy();
    this.onAbort?.();
  }

  /** Whether there is an answer or a fault of the transport; false while the target keeps silent. */
  get answered(): boolean {
    return this.#settled !== undefined;
  }

  /** Waits for the answer, without sending any more; the connection is closed afterwards. */
  async exchange(): Promise<Exchange> {
    const outcome = await this.#outcome;
    this.abort();
    const partial = this.#sent < this.#request.body.byteLength ? { sentBytes: this.#sent } : {};
    return { request: this.#request, from: this.#from, ...partial, ...outcome };
  }

  /** Waits at most `ms` for an answer; true when there is one. */
  async answeredWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.#outcome, late]);
    clearTimeout(timer);
    return this.answered;
  }

  /** What the exchange can say while no answer has come. */
  pending(): Exchange {
    return { request: this.#request, from: this.#from, sentBytes: this.#sent, fault: "no answer yet" };
  }
}

function outcomeOf(message: ClientRequest, origin: string, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ fault: `no whole answer within ${timeoutMs} ms` });
      message.destroy();
    }, timeoutMs);
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    let interim = 0;
    message.on("information", () => {
      interim += 1;
      if (interim <= MAX_INTERIM_ANSWERS) return;
      settle({ fault: TOO_MANY_INTERIM });
      message.destroy();
    });
    let answering = false;
    message.on("response", (response) => {
      answering = true;
      void readAnswer(response, origin).then(settle);
    });
    // Once an answer is on its way, a reset of the sending half is expected: `readAnswer` sees a torn answer.
    message.on("error", (error) => answering || settle({ fault: transportFault(error, timeoutMs) }));
    message.on("close", () => answering || settle({ fault: "connection closed without a whole answer" }));
  });
}

/** By events: an iterator would gather small pieces in a list that it copies again and again. */
function readAnswer(response: IncomingMessage, origin: string): Promise<Outcome> {
  const gathered = new Gathered(origin);
  return new Promise((resolve) => {
    const torn = () => resolve({ fault: "connection closed without a whole answer" });
    response.on("data", (chunk: Buffer) => {
      try {
        gathered.add(chunk);
      } catch (error) {
        resolve({ fault: (error as TooLarge).message });
        response.destroy();
      }
    });
    response.on("end", () => {
      const headers = headerMap(response.headersDistinct);
      resolve({ answer: { status: response.statusCode ?? 0, headers, body: gathered.bytes } });
    });
    response.on("error", torn);
    response.on("close", torn);
  });
}
