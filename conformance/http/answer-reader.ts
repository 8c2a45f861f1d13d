/** Reads one answer piece by piece as it comes over a connection (RFC 9112), strictly: the one reader, however it was asked for. */
import type { Answer } from "./exchange.ts";
import { AnswerFault, Gathered } from "./gathered.ts";
import { TOKEN } from "./wire-form.ts";

/** Of one head, or of one line of a chunked body. */
export const MAX_HEADER_BYTES = 64 * 1024;
/** RFC 9110, 15.2 sets no number; without one a target would keep the reader busy without end. */
const MAX_INTERIM_ANSWERS = 100;
export const TOO_MANY_INTERIM = `more than ${MAX_INTERIM_ANSWERS} interim answers`;
export const NOT_HTTP = "an answer that is not HTTP";
export const CUT_OFF = "connection closed without a whole answer";

const END_OF_LINE = "\r\n";
const END_OF_HEAD = "\r\n\r\n";
const VERSION = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
/** What no line of a head may hold: control characters, and half an end of a line. */
const UNFIT = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
/** A chunk's size, below what a number holds exactly, and its extensions. */
const SIZE_LINE = /^([\da-f]{1,13})[\t ]*(?:;|$)/i;
const NOTHING = Buffer.alloc(0);

type Headers = Map<string, string[]>;
type Part = "head" | "body" | "size" | "chunk" | "end of chunk" | "trailer";

export class AnswerReader {
  readonly #method: string;
  readonly #body: Gathered;
  #part: Part = "head";
  #status = 0;
  #headers: Headers = new Map();
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  /** A head or a line that has begun, in a reused buffer: searched for its end from `#searched` on when more comes. */
  #begun: Buffer = NOTHING;
  #searched = 0;
  #interim = 0;
  answer: Answer | undefined;
  surplus: Buffer = NOTHING;
  continued = false;
  /** The target closes the connection behind the answer, or will soon. */
  isLast = false;

  /** `method`: of the request; `origin`: of the target, where what comes is gathered nowhere else. */
  constructor(method: string, origin?: string) {
    this.#method = method;
    this.#body = new Gathered(origin);
  }

  /** Throws `AnswerFault` for what is no answer, or too large. */
  add(piece: Buffer): void {
    const bytes = this.#begun.byteLength === 0 ? piece : Buffer.concat([this.#begun, piece]);
    this.#begun = NOTHING;
    let at = 0;
    while (this.answer === undefined && at < bytes.byteLength)
      at = this.#part === "body" || this.#part === "chunk" ? this.#takeData(bytes, at) : this.#takeText(bytes, at);
    if (this.answer !== undefined) this.surplus = Buffer.from(bytes.subarray(at));
  }

  /** Returns where the data ends. */
  #takeData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.byteLength, at + this.#left);
    this.#body.add(bytes.subarray(at, end));
    this.#left -= end - at;
    if (this.#left > 0) return end;
    if (this.#part === "body") this.#finish();
    else this.#part = "end of chunk";
    return end;
  }

  /** Takes a head or a line; where it ends. */
  #takeText(bytes: Buffer, from: number): number {
    const isHead = this.#part === "head";
    let at = from;
    // Blank lines before a status line are skipped, also after an earlier answer.
    if (isHead && this.#searched === 0) while (isBlank(bytes[at])) at += 1;
    const mark = isHead ? END_OF_HEAD : END_OF_LINE;
    const found = bytes.indexOf(mark, at + this.#searched);
    const end = found < 0 ? bytes.byteLength : found;
    if (end - at > MAX_HEADER_BYTES) throw new AnswerFault(`more than ${MAX_HEADER_BYTES} bytes of headers`);
    this.#searched = 0;
    if (found < 0) this.#keep(bytes.subarray(at), mark);
    else if (isHead) this.#readHead(bytes.toString("latin1", at, end));
    else this.#readLine(bytes.toString("latin1", at, end));
    return found < 0 ? end : end + mark.length;
  }

  /** Nothing more comes: the end of an answer without a length. Throws `AnswerFault` where it is not whole. */
  end(): void {
    if (this.#left === Infinity) this.#finish();
    if (this.answer === undefined) throw new AnswerFault(CUT_OFF);
  }

  #keep(begun: Buffer, mark: string): void {
    const start = begun.toString("latin1", 0, VERSION.length);
    if (this.#part === "head" && !VERSION.startsWith(start)) throw new AnswerFault(NOT_HTTP);
    this.#begun = Buffer.from(begun);
    this.#searched = Math.max(0, begun.byteLength - mark.length + 1);
  }

  #readHead(text: string): void {
    const [first = "", ...lines] = text.split(END_OF_LINE);
    const [, version, status] = STATUS_LINE.exec(first) ?? [];
    if (status === undefined || UNFIT.test(text)) throw new AnswerFault(NOT_HTTP);
    this.#status = Number(status);
    this.#headers = headersOf(lines);
    if (this.#status < 200) return this.#pass();
    this.isLast = version === "0" || closes(this.#headers);
    const length = this.#lengthOf();
    const isBare = this.#method === "HEAD" || this.#status === 204 || this.#status === 304;
    if (isBare || length === 0) return this.#finish();
    this.#part = length === undefined ? "size" : "body";
    this.#left = length ?? 0;
    this.isLast ||= length === Infinity;
  }

  #pass(): void {
    // RFC 9110, 15.2.2: nobody has asked for another protocol.
    if (this.#status === 101) throw new AnswerFault(CUT_OFF);
    this.continued ||= this.#status === 100;
    this.#interim += 1;
    if (this.#interim > MAX_INTERIM_ANSWERS) throw new AnswerFault(TOO_MANY_INTERIM);
  }

  /** Bytes of the body: unknown with chunks, and up to the end of the connection where the head names none (RFC 9112, 6.3). */
  #lengthOf(): number | undefined {
    const lengths = this.#headers.get("content-length");
    const codings = this.#headers.get("transfer-encoding");
    if (lengths === undefined) return /(?:^|[\t ,])chunked$/i.test(codings?.at(-1) ?? "") ? undefined : Infinity;
    if (codings !== undefined || lengths.length > 1 || !/^\d{1,15}$/.test(lengths[0] ?? ""))
      throw new AnswerFault(NOT_HTTP);
    return Number(lengths[0]);
  }

  #readLine(line: string): void {
    if (this.#part === "trailer") return void (line === "" && this.#finish());
    const isEnd = this.#part === "end of chunk";
    const [, digits] = SIZE_LINE.exec(line) ?? [];
    if (isEnd ? line !== "" : digits === undefined) throw new AnswerFault(NOT_HTTP);
    this.#part = "size";
    if (digits === undefined) return;
    this.#left = Number.parseInt(digits, 16);
    this.#part = this.#left === 0 ? "trailer" : "chunk";
  }

  #finish(): void {
    this.#left = 0;
    this.answer = { status: this.#status, headers: this.#headers, body: this.#body.bytes };
  }
}

const isBlank = (byte: number | undefined): boolean => byte === 0x0d || byte === 0x0a;

function headersOf(lines: readonly string[]): Headers {
  const headers: Headers = new Map();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 0 || !TOKEN.test(name)) throw new AnswerFault(NOT_HTTP);
    const value = trimmed(line, colon + 1);
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  return headers;
}

/** What stands from a place on, without blanks around it; beyond ASCII a blank is part of a value. */
function trimmed(line: string, from: number): string {
  let [start, end] = [from, line.length];
  while (line[start] === " " || line[start] === "\t") start += 1;
  while (end > start && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(start, end);
}

/** A keep-alive of a second counts as closing: the connection may close as the next request arrives. */
const closes = (headers: Headers): boolean =>
  headers.get("connection")?.some((value) => /(?:^|[\t ,])close(?:$|[\t ,])/i.test(value)) === true ||
  headers.get("keep-alive")?.some((value) => /\btimeout=[01]\b/i.test(value)) === true;
