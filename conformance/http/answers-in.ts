/** Reads the answers in bytes as they came over a connection (RFC 9112, 6): for what is sent without a client. */
import { headerMap, type Answer } from "./exchange.ts";

const END_OF_HEAD = "\r\n\r\n";
const INTERIM = /^HTTP\/1\.[01] 1\d\d/;
const STATUS = /^HTTP\/1\.[01] (\d\d\d)/;

interface Read {
  readonly body: Uint8Array;
  /** Where the next answer begins. */
  readonly end: number;
}

/**
 * The answers that are whole, in their order. `methods`: of the requests, as nothing follows the head of an answer to HEAD.
 * `closed`: nothing more comes, which ends an answer without a length. Bytes that are no answer end the list.
 */
export function answersIn(bytes: Buffer, methods: readonly string[], closed: boolean): Answer[] {
  const answers: Answer[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const end = bytes.indexOf(END_OF_HEAD, at);
    if (end < 0) break;
    const [first = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n");
    const status = STATUS.exec(first)?.[1];
    if (status === undefined) break;
    at = end + END_OF_HEAD.length;
    if (INTERIM.test(first)) continue;
    const headers = headersOf(lines);
    const isBare = methods[answers.length] === "HEAD" || status === "204" || status === "304";
    const read = isBare ? { body: new Uint8Array(), end: at } : bodyAt(bytes, at, headers, closed);
    if (read === undefined) break;
    answers.push({ status: Number(status), headers, body: read.body });
    at = read.end;
  }
  return answers;
}

function headersOf(lines: readonly string[]): Map<string, readonly string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    (headers[line.slice(0, colon).toLowerCase()] ??= []).push(line.slice(colon + 1).trim());
  }
  return headerMap(headers);
}

function bodyAt(bytes: Buffer, at: number, headers: Answer["headers"], closed: boolean): Read | undefined {
  if (headers.get("transfer-encoding")?.some((coding) => /chunked/i.test(coding)) === true) return chunksAt(bytes, at);
  const length = headers.get("content-length")?.[0];
  if (length === undefined) return closed ? { body: bytes.subarray(at), end: bytes.byteLength } : undefined;
  if (!/^\d+$/.test(length)) return undefined;
  const end = at + Number(length);
  return end <= bytes.byteLength ? { body: bytes.subarray(at, end), end } : undefined;
}

function chunksAt(bytes: Buffer, begin: number): Read | undefined {
  const chunks: Buffer[] = [];
  for (let at = begin; ;) {
    const line = bytes.indexOf("\r\n", at);
    // A size with a sign would lead back.
    const [digits] = /^[\da-f]+/i.exec(bytes.toString("latin1", at, Math.max(at, line))) ?? [];
    if (line < 0 || digits === undefined) return undefined;
    const size = Number.parseInt(digits, 16);
    const from = line + 2;
    if (size === 0) {
      const isBare = bytes.toString("latin1", from, from + 2) === "\r\n";
      const end = isBare ? from : bytes.indexOf(END_OF_HEAD, from) + 2;
      return end < from || end + 2 > bytes.byteLength ? undefined : { body: Buffer.concat(chunks), end: end + 2 };
    }
    if (from + size + 2 > bytes.byteLength) return undefined;
    chunks.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}
