import { expect, test } from "vitest";
import { textOf } from "./exchange.ts";
import { answersIn } from "./answers-in.ts";

const read = (text: string, methods = ["POST", "POST"], closed = false) =>
  answersIn(Buffer.from(text), methods, closed).map((answer) => `${answer.status} ${textOf(answer)}`);

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;a=b\r\n}\r\n0\r\n";

test.each<[string, string[], string[]?]>([
  [`HTTP/1.1 100 Continue\r\n\r\n${OK}HTTP/1.1 102 Processing\r\n\r\n${OK}`, ["200 {}", "200 {}"]],
  [`${CHUNKED}\r\n${OK}`, ["200 {}", "200 {}"]],
  [`${CHUNKED}X-Trailer: 1\r\n\r\n${OK}`, ["200 {}", "200 {}"]],
  // An answer to HEAD has no body, whatever length it names.
  ["HTTP/1.1 405 No\r\nContent-Length: 9\r\n\r\n", ["405 "], ["HEAD"]],
])("answers are told apart by their lengths, with interim answers between them: %j", (text, answers, methods) => {
  expect(read(text, methods)).toEqual(answers);
});

test("what is not whole yet is no answer", () => {
  for (const text of [OK, `${CHUNKED}\r\n`]) {
    for (let length = 0; length < text.length; length += 1) expect(read(text.slice(0, length))).toEqual([]);
  }
});

test.each([`HTTP/1.1 200 OK\r\nContent-Length: -${OK.length + 1}\r\n\r\n{}`, CHUNKED.replace("1\r\n{", "-6\r\n{")])(
  "a length below nothing, which would lead back to where it stands, is no answer: %j",
  (text) => expect(read(text)).toEqual([]),
);

test("an answer without a length ends with its connection", () => {
  const text = "HTTP/1.1 400 Bad\r\n\r\nno";
  expect(read(text)).toEqual([]);
  expect(read(text, ["POST"], true)).toEqual(["400 no"]);
});
