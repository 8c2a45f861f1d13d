/** One request sent piece by piece: bodies that are owed, dripped, aborted, or of another length than announced. */
import { once } from "node:events";
import type { Request } from "../interface/request.ts";
import type { Exchange } from "./exchange.ts";
import { chunkOf, isSendable, LAST_CHUNK, wireForm } from "./wire-form.ts";
import { Wire, type WireOutcome } from "./wire.ts";

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
  readonly #wire: Wire;
  readonly #outcome: Promise<WireOutcome>;
  #settled: WireOutcome | undefined;
  #sent = 0;
  /** Called when the kit closes the connection. */
  onAbort: (() => void) | undefined;

  private constructor(origin: string, request: Request, options: UploadOptions) {
    const { from, timeoutMs, announced = request.body.byteLength, withheld = 0 } = options;
    if (!isSendable(request)) throw new TypeError("HTTP has no form for the head of an upload");
    this.#request = request;
    this.#from = from;
    this.#wire = new Wire(origin, from);
    if (options.withheld !== undefined) this.#wire.socket.cork();
    this.#outcome = this.#wire.outcome(request.method, timeoutMs).then((outcome) => (this.#settled = outcome));
    const framing = request.chunked === true ? "transfer-encoding: chunked" : `content-length: ${announced}`;
    // An early answer leaves the connection open, as for a client that keeps sending.
    const head = wireForm(origin, { ...request, body: new Uint8Array() }, ["connection: keep-alive", framing]);
    this.#wire.socket.write(head);
    // Settles when it is released.
    void this.write(withheld);
  }

  /** Connects and sends the head. The body is `request.body`, sent by `write`. */
  static async open(origin: string, request: Request, options: UploadOptions): Promise<Upload> {
    const upload = new Upload(origin, request, options);
    // A connection that fails is an outcome, not an error.
    await Promise.race([once(upload.#wire.socket, "connect").catch(() => upload.#outcome), upload.#outcome]);
    return upload;
  }

  get continued(): boolean {
    return this.#wire.continued;
  }

  /** Sends what was withheld, in one write and before this returns. */
  release(): void {
    this.#wire.socket.uncork();
  }

  /** Sends the next `bytes` of the body (all that is left by default); answers when they are handed to the system. */
  async write(bytes = this.#request.body.byteLength - this.#sent): Promise<void> {
    const piece = this.#request.body.subarray(this.#sent, this.#sent + bytes);
    this.#sent += piece.byteLength;
    const { socket } = this.#wire;
    if (piece.byteLength === 0 || socket.destroyed) return;
    const framed = this.#request.chunked === true ? chunkOf(piece) : piece;
    const written = new Promise<void>((resolve) => socket.write(framed, () => resolve()));
    // After an answer the rest may never be taken.
    await Promise.race([written, this.#outcome]);
  }

  /** Sends what is left of the body, ends the request and returns the exchange. */
  async finish(): Promise<Exchange> {
    await this.write();
    const { socket } = this.#wire;
    if (this.#request.chunked === true && !socket.destroyed) socket.write(LAST_CHUNK);
    return this.exchange();
  }

  /** Closes the connection, as a client that goes away does. */
  abort(): void {
    this.#wire.destroy();
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
    return { request: this.#request, from: this.#from, sentBytes: this.#sent, fault: "no whole answer yet" };
  }
}
