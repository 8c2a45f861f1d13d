import { expect, test } from "vitest";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import type { Watcher } from "../harness/watcher.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Server } from "../targets/server.ts";
import { resultOf } from "../harness/result.ts";
import { waysIn } from "../report/findings.ts";
import { Watch } from "./watch.ts";

const invariant = (watcher: Watcher): Case => ({
  id: "NEVER-TEAPOT",
  title: "No answer is 418",
  clauses: ["ENVELOPE-OK"],
  requests: 1,
  watch: () => watcher,
  run: async () => {},
});

const server = {} as Server;

const exchangeWith = (status: number): Exchange => ({
  request: { method: "POST", path: "/", headers: [], body: new Uint8Array() },
  from: "127.0.0.1",
  answer: { status, headers: new Map(), body: new Uint8Array() },
});

const noTeapot: Watcher = {
  exchange: ({ exchange: { answer } }) =>
    answer !== undefined && answer.status >= 418 ? { expected: "no teapot", actual: `${answer.status}` } : undefined,
  gone: (how) => ({ expected: "a target", actual: how }),
};

function watching(...statuses: number[]): Watch {
  const item = invariant(noTeapot);
  const watch = new Watch([item], []);
  watch.hold(resultOf(item, "pass"));
  for (const [index, status] of statuses.entries()) {
    watch.exchange(server, { id: `CASE-${index + 1}` }, exchangeWith(status), index);
  }
  return watch;
}

/** The results after that many requests without an answer. */
function unanswered(watch: Watch, count: number): CaseResult[] {
  const { answer: _answer, ...exchange } = exchangeWith(200);
  for (let index = 0; index < count; index += 1) {
    watch.exchange(server, { id: "SILENT" }, { ...exchange, fault: "no answer" }, index);
  }
  return watch.results();
}

test("a pass says nothing where most requests had no whole answer; a failure stays one", () => {
  expect(unanswered(watching(200, 404), 2)).toMatchObject([{ outcome: "pass" }]);
  expect(unanswered(watching(200, 404), 3)).toMatchObject([
    { outcome: "unreached", reason: expect.stringContaining("most requests of the run had no whole answer") },
  ]);
  expect(unanswered(watching(200, 418), 3)).toMatchObject([{ outcome: "fail" }]);
});

test("each cause is told once, with the exchange and the case that sent it", () => {
  const [result] = watching(200, 418, 418, 419).results();
  expect(result).toMatchObject({ outcome: "fail" });
  expect(result?.findings).toMatchObject([
    { expected: "no teapot", actual: "418" },
    { expected: "no teapot", actual: "419" },
  ]);
  expect(result?.seenIn).toEqual(["CASE-2", "CASE-4"]);
  expect(result?.exchanges.map(({ answer }) => answer?.status)).toEqual([418, 419]);
});

test("a target that ends is told with the last requests that it got, the earliest likely one first", () => {
  const watch = watching(200);
  const send = (id: string, sent: number, more: Partial<Exchange["request"]>, status?: number) => {
    const { answer: given, ...exchange } = exchangeWith(status ?? 0);
    const body = new TextEncoder().encode('{"action":"create_flow"}');
    const request = { ...exchange.request, headers: [["content-type", "application/json"]] as const, body, ...more };
    const came = status === undefined ? { fault: "connection refused" } : given && { answer: given };
    watch.exchange(server, { id }, { ...exchange, request, ...came }, sent);
  };
  for (let sent = 1; sent <= 150; sent += 1) send("OUTLIVED", sent, { method: "DELETE" }, 405);
  send("CAUSE", 151, { method: "PUT" }, 405);
  send("CAUSE", 152, {}, 400);
  send("BESIDE", 153, { method: "DELETE" }, 405);
  for (let sent = 154; sent <= 160; sent += 1) send("AFTER", sent, {});
  watch.gone(server, "the target ended (exit code 1)");
  const [result] = watch.results();
  expect(result).toMatchObject({
    outcome: "fail",
    findings: [{ actual: "the target ended (exit code 1)" }],
    seenIn: ["CAUSE"],
  });
  expect(result?.exchanges.map(({ request: { method } }) => method)).toEqual(["PUT", "POST", "DELETE", "DELETE"]);
});

test("an invariant that nobody asked for has a result where it is broken, and one that saw nothing is unreached", () => {
  const item = invariant(noTeapot);
  const watch = new Watch([], [item]);
  watch.exchange(server, { id: "CASE" }, exchangeWith(200), 1);
  expect(watch.results()).toEqual([]);
  watch.exchange(server, { id: "CASE" }, exchangeWith(418), 2);
  expect(watch.results()).toMatchObject([{ id: "NEVER-TEAPOT", outcome: "fail", seenIn: ["CASE"] }]);
  expect(watching().results()).toMatchObject([
    { outcome: "unreached", reason: expect.stringContaining("nothing was seen") },
  ]);
});

test("a target that is wrong everywhere does not fill the report", () => {
  const statuses = Array.from({ length: 50 }, (_, index) => 418 + index);
  expect(watching(...statuses).results()[0]?.findings).toHaveLength(12);
});

test("ways that a reader sees as one are told once, with where each was seen; the broken clause comes first", () => {
  const item: Case = {
    ...invariant({
      exchange: ({ exchange: { answer: { status = 0 } = {} } }) => ({
        expected: "result: an object",
        actual: `null with ${status}`,
        clause: "ENVELOPE-RESULT",
        seen: { what: "result: null", where: `${status}` },
      }),
    }),
    clauses: ["ENVELOPE-OK", "ENVELOPE-RESULT"],
  };
  const watch = new Watch([item], []);
  for (const status of [400, 401]) watch.exchange(server, { id: "CASE" }, exchangeWith(status), 1);
  const [result] = watch.results();
  expect(waysIn(result?.findings ?? [])).toBe("result: null (400, 401)");
  expect(result?.findings?.map(({ actual }) => actual)).toEqual(["null with 400", "null with 401"]);
  expect(result?.clauses).toEqual(["ENVELOPE-RESULT", "ENVELOPE-OK"]);
});
