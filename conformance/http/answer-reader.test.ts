import { expect, test } from "vitest";
import { AnswerReader, NOT_HTTP } from "./answer-reader.ts";
import { textOf, type Answer } from "./exchange.ts";

/** The answers in pieces of a text, one reader for each. */
function read(pieces: readonly string[], methods = ["POST", "POST"], closed = false): string[] {
  const answers: Answer[] = [];
  let reader = new AnswerReader(methods[0] ?? "");
  for (const text of pieces) {
    for (
      let piece: Buffer = Buffer.from(text, "latin1");
      ;
      piece = reader.surplus, reader = new AnswerReader(methods[answers.length] ?? "")
    ) {
      reader.add(piece);
      if (reader.answer === undefined) break;
      answers.push(reader.answer);
    }
  }
  if (closed) reader.end();
  return [...answers, ...(reader.answer ? [reader.answer] : [])].map((one) => `${one.status} ${textOf(one)}`);
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;a=b\r\n}\r\n0\r\n";

test.each<[string, string[], string[]?]>([
  [`HTTP/1.1 100 Continue\r\n\r\n${OK}HTTP/1.1 102 Processing\r\n\r\n${OK}`, ["200 {}", "200 {}"]],
  [`${CHUNKED}\r\n${OK}`, ["200 {}", "200 {}"]],
  [`${CHUNKED}X-Trailer: 1\r\n\r\n${OK}`, ["200 {}", "200 {}"]],
  [`${OK}\r\n${OK}`, ["200 {}", "200 {}"]],
  ["HTTP/1.1 204 None\r\n\r\n", ["204 "]],
  // An answer to HEAD has no body, whatever length it names.
  ["HTTP/1.1 405 No\r\nContent-Length: 9\r\n\r\n", ["405 "], ["HEAD"]],
])("answers are told apart by their lengths, with interim answers between them: %j", (text, answers, methods) => {
  expect(read([text], methods)).toEqual(answers);
  expect(read(text.split(""), methods)).toEqual(answers);
});

test("what is not whole yet is no answer", () => {
  for (const text of [OK, `${CHUNKED}\r\n`]) {
    for (let length = 0; length < text.length; length += 1) expect(read([text.slice(0, length)])).toEqual([]);
  }
});

const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

test.each<[string, string]>([
  ["a length below nothing", `${head("Content-Length: -2")}{}`],
  ["the same length twice", `${head("Content-Length: 2\r\nContent-Length: 2")}{}`],
  ["a list of lengths", `${head("Content-Length: 2, 2")}{}`],
  ["a length and chunks", `${head("Content-Length: 2\r\nTransfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`],
  ["a chunk's size below nothing, which would lead back", CHUNKED.replace("1\r\n{", "-6\r\n{")],
  ["a chunk that is longer than its size", CHUNKED.replace("{\r\n", "{}\r\n")],
  ["a header field without a colon", head("x")],
  ["a blank before a colon", head("x : 1")],
  ["a line that goes on in the next", head("x: 1\r\n 2")],
  ["half an end of a line", head("x: 1\ny: 2")],
  ["a control character", head("x: \u0000")],
  ["another version", OK.replace("HTTP/1.1", "HTTP/2.0")],
  ["no status", OK.replace("200", "20")],
])("%s is not HTTP", (_, text) => {
  expect(() => read([text])).toThrow(NOT_HTTP);
  expect(() => read(text.split(""))).toThrow(NOT_HTTP);
});

test("an answer without a length ends with its connection", () => {
  const text = "HTTP/1.1 400 Bad\r\n\r\nno";
  expect(read([text])).toEqual([]);
  expect(read([text], ["POST"], true)).toEqual(["400 no"]);
});

test.each([
  ["", false],
  ["Connection: close\r\n", true],
  ["Connection: Keep-Alive, Close\r\n", true],
  ["Keep-Alive: timeout=5\r\n", false],
  ["Keep-Alive: timeout=1, max=9\r\n", true],
])("whether the connection can be used again: %j", (line, isLast) => {
  const reader = new AnswerReader("POST");
  reader.add(Buffer.from(`HTTP/1.1 200 OK\r\n${line}Content-Length: 0\r\n\r\n`));
  expect(reader.isLast).toBe(isLast);
});
