/** What a failure's block shows of its evidence. */
import { expect, test } from "vitest";
import { exchangeWith, reportWith, type Given } from "../test-support/report.test-support.ts";
import { renderConsole } from "./console.ts";
import { painter } from "./wrap.ts";
import type { Report } from "./report.ts";

const render = (report: Report) => renderConsole(report, painter(false));
const everything = (report: Report) => renderConsole(report, painter(false), { verbose: true });

const failing: Given = {
  id: "FLOW-FAILS",
  outcome: "fail",
  expected: "404 not_found",
  actual: "200 ok:true",
  exchanges: [exchangeWith("{}")],
};

const withHeaders = (headers: readonly (readonly [string, string])[]) => {
  const exchange = exchangeWith('{"error":"its answer"}');
  return { ...exchange, request: { ...exchange.request, headers } };
};

test("headers that all hold one value are one line, and no cut hits the answer", () => {
  const decoys = Array.from({ length: 36 }, (_, index) => [`x-decoy-${index}`, "session-key"] as const);
  const text = render(reportWith([{ ...failing, exchanges: [withHeaders([["x-own", "1"], ...decoys])] }]));
  expect(text).toContain("\n            x-own: 1\n            + 36 headers holding session-key\n");
  expect(text).toContain('{"error":"its answer"}');
  expect(text).not.toContain("x-decoy-");
  expect(text).toMatch(/\n {2}replay {4}a command of \d+ characters \(--verbose\)\n/);
});

test("what came before is listed", () => {
  const accepted = { action: "create_flow", answer: "200 ok:true" };
  const before = [
    { number: 1, what: "create_flow", ...accepted },
    { number: 2, what: 'create_flow status="queued"', ...accepted },
  ];
  const refused = { ...failing, id: "TAKE-RED", actual: "409 ok:false", before };
  const text = render(reportWith([refused]));
  expect(text).toContain(
    '\n  before    1. create_flow -> 200 ok:true\n            2. create_flow status="queued" -> 200 ok:true\n',
  );
});

const wrong = (status: number) => ({
  ...failing,
  exchanges: [{ ...exchangeWith("{}"), answer: { status, headers: new Map(), body: new Uint8Array() } }],
});

test("the target's stderr is shown where a request got no answer, or a fault of the server for one", () => {
  const run = { stderrTail: "it stumbled\n" };
  expect(render(reportWith([wrong(409)], { run }))).not.toContain("it stumbled");
  expect(render(reportWith([wrong(500)], { run }))).toContain("it stumbled");
  expect(everything(reportWith([wrong(409)], { run }))).toContain("it stumbled");
});

test("a failure that breaks another clause than the title tells of begins with that clause", () => {
  const finding = { clause: "RUN-TASK-RUNNING-FIELDS", expected: "a refusal", actual: "200 ok:true" } as const;
  const lines = render(reportWith([{ ...failing, findings: [finding] }])).split("\n");
  const places = ["clause    RUN-TASK-RUNNING-FIELDS, ", "expected  a refusal"].map((start) =>
    lines.findIndex((line) => line.startsWith(`  ${start}`)),
  );
  expect(places[0]).toBeGreaterThan(0);
  expect(places[0]).toBeLessThan(places[1] ?? 0);
});
