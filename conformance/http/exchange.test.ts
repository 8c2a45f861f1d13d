import { expect, test } from "vitest";
import { validRequest } from "../interface/request.ts";
import {
  asEvidence,
  describe as inWords,
  isAccepted,
  jsonOf,
  neutral,
  printable,
  type Answer,
  type Exchange,
} from "./exchange.ts";

const request = validRequest({ path: "/p", secret: "s" }, { action: "list_flows" });
const answered = (status: number, body: unknown): Exchange => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { request, from: "127.0.0.1", answer: { status, headers: new Map(), body: new TextEncoder().encode(text) } };
};
const unanswered: Exchange = { request, from: "127.0.0.1", fault: "connection refused" };

test.each([
  [answered(200, { ok: true }), true],
  [answered(202, { ok: true, code: "cancel_pending" }), true],
  [answered(300, { ok: true }), false],
  [answered(409, { ok: true }), false],
  [answered(200, { ok: false }), false],
  [answered(200, { ok: "true" }), false],
  [answered(200, [{ ok: true }]), false],
  [answered(200, ""), false],
  [unanswered, false],
])("accepted is ok:true with a 2xx, and nothing else: %#", (exchange, accepted) => {
  expect(isAccepted(exchange)).toBe(accepted);
});

test.each([
  [
    answered(409, { ok: false, code: "revision_conflict", error: "flow f-1 is at 7" }),
    "409 ok:false revision_conflict",
  ],
  [answered(200, { ok: true }), "200 ok:true"],
  [answered(200, { ok: true, code: 7 }), "200 ok:true"],
  [answered(400, { ok: false, code: "a\nb\u001b[2J" }), "400 ok:false a\\u000ab\\u001b[2J"],
  [answered(405, "Method Not Allowed"), "405 without a JSON object"],
  [answered(500, { error: "x" }), "500 without `ok`"],
  [unanswered, "connection refused"],
  [{ request, from: "127.0.0.1" }, "no answer"],
])("an exchange in words that no run changes: %#", (exchange, words) => {
  expect(inWords(exchange)).toBe(words);
});

test("text of a target is made safe for one line of a terminal", () => {
  expect(neutral("plain text, ünïcödé and 漢字")).toBe("plain text, ünïcödé and 漢字");
  expect(neutral("\u001b[31mred\u0007\r\n\t\u0000")).toBe("\\u001b[31mred\\u0007\\u000d\\u000a\\u0009\\u0000");
  expect(neutral("bidi \u202e\u2066 zero \u200b\ufeff")).toBe("bidi \\u202e\\u2066 zero \\u200b\\ufeff");
  expect(neutral("x".repeat(500), 10)).toBe("xxxxxxxxxx... (500 characters)");
  expect(printable("\u001b]0;title\u0007 a\tb \u202e")).toBe("?]0;title? a?b ?");
});

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

test.each([
  ["objects", nested(1_000_000)],
  ["arrays", `{"ok":true,"result":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`],
  ["arrays that never close", "[".repeat(1_000_000)],
])("a million %s within each other are no JSON to the suite, whatever walks through them", (_, text) => {
  const exchange = answered(200, text);
  expect(exchange.answer && jsonOf(exchange.answer)).toBeUndefined();
});

test("brackets in a text, and lists beside each other, are not taken for depth", () => {
  const flat = { text: '[{"\\[['.repeat(1000), list: Array.from({ length: 2000 }, () => [{}]) };
  const { answer } = answered(200, flat);
  expect(answer && jsonOf(answer)).toEqual(flat);
});

test("evidence keeps the start of a long body, says how long it was, and lets go of the rest", () => {
  for (const body of [Buffer.alloc(1_000_000, "a"), new Uint8Array(1_000_000)]) {
    const kept = asEvidence({ ...unanswered, answer: { status: 200, headers: new Map(), body } }).answer;
    expect(kept?.body.buffer.byteLength).toBe(16_384);
    expect(kept?.wholeBytes).toBe(1_000_000);
  }
  const short = answered(200, "a");
  expect(asEvidence(short)).toBe(short);
  expect(asEvidence(unanswered)).toBe(unanswered);
});

test("a very long text is cut, in no character's middle", () => {
  expect(neutral("\ud83d\ude00".repeat(1000), 3)).toBe("\ud83d\ude00... (2000 characters)");
  expect(printable("\u001b[2J\u009b\u202e\u2028\ud800")).toBe("?[2J????");
  expect(printable("a".repeat(100_000))).toBe(`${"a".repeat(1000)}... (100000 characters)`);
});

test("an answer's value is read once for all checks, but not kept for as long as the answer is", () => {
  const answers = Array.from({ length: 20 }, () => answered(200, `[${"{},".repeat(20_000)}{}]`).answer as Answer);
  const [first, second] = [jsonOf(answers[0] as Answer), jsonOf(answers[1] as Answer)];
  expect(jsonOf(answers[1] as Answer)).toBe(second);
  for (const answer of answers) jsonOf(answer);
  expect(jsonOf(answers[0] as Answer)).not.toBe(first);
});
