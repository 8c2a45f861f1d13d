/** What a handler writes its answer to where there is no socket: node's own stream with the headers of `node:http`. */
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Writable } from "node:stream";
import { MAX_ANSWER_BYTES } from "../http/gathered.ts";

type HeaderValue = number | string | readonly string[];
type Done = (error?: Error | null) => void;

export class DirectResponse extends Writable {
  readonly req: IncomingMessage;
  statusCode = 200;
  statusMessage = "";
  sendDate = true;
  headersSent = false;
  readonly #headers = new Map<string, readonly string[]>();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(request: IncomingMessage) {
    super({ decodeStrings: true });
    this.req = request;
  }

  get socket() {
    return this.req.socket;
  }

  /** The headers so far: names in lower case. */
  get answerHeaders(): ReadonlyMap<string, readonly string[]> {
    return this.#headers;
  }

  /** The bytes written so far. */
  get answerBody(): Uint8Array {
    const [only = Buffer.alloc(0)] = this.#chunks;
    return this.#chunks.length <= 1 ? only : Buffer.concat(this.#chunks);
  }

  /** The answer exceeds what the runner keeps of one; the rest is dropped. */
  get isTooLong(): boolean {
    return this.#bytes > MAX_ANSWER_BYTES;
  }

  /** All announced bytes were written: the client has its answer, even if the connection is lost later. */
  get isWhole(): boolean {
    return this.headersSent && this.getHeader("content-length") === String(this.#bytes);
  }

  writeHead(status: number, reason?: string | OutgoingHttpHeaders, headers?: OutgoingHttpHeaders): this {
    this.#mustBeOpen();
    this.statusCode = status;
    if (typeof reason === "string") this.statusMessage = reason;
    const given = typeof reason === "object" ? reason : (headers ?? {});
    for (const name of Object.keys(given)) if (given[name] !== undefined) this.setHeader(name, given[name]);
    this.headersSent = true;
    return this;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#mustBeOpen();
    this.#headers.set(name.toLowerCase(), typeof value === "object" ? [...value] : [String(value)]);
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const known = this.#headers.get(name.toLowerCase()) ?? [];
    return this.setHeader(name, [...known, ...(typeof value === "string" ? [value] : value)]);
  }

  setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    const values = this.#headers.get(name.toLowerCase());
    return values === undefined || values.length > 1 ? values && [...values] : values[0];
  }

  getHeaders(): OutgoingHttpHeaders {
    return Object.fromEntries(this.getHeaderNames().map((name) => [name, this.getHeader(name)]));
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#mustBeOpen();
    this.#headers.delete(name.toLowerCase());
  }

  flushHeaders(): void {
    this.headersSent = true;
  }

  setTimeout(): this {
    return this;
  }

  writeContinue(): void {}

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.headersSent = true;
    this.#bytes += chunk.byteLength;
    if (!this.isTooLong) this.#chunks.push(chunk);
    done();
  }

  override _final(done: Done): void {
    this.headersSent = true;
    done();
  }

  #mustBeOpen(): void {
    if (this.headersSent) throw new Error("the headers were sent already");
  }
}
