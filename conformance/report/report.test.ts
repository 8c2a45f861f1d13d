import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { formsOf } from "../http/secret-forms.ts";
import { renderConsole } from "./console.ts";
import { painter } from "./wrap.ts";
import { renderHtml } from "./html/report-page.ts";
import { REPLAY_FORMAT } from "../story/replay-file.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { exchangeWith, reportWith, resultOf, secret } from "../test-support/report.test-support.ts";
import { reportSchema, type Report } from "./report.ts";
import { suiteVersion } from "../foundation/suite-version.ts";
import { suiteIdentity } from "./suite-identity.ts";

const schema = JSON.parse(readFileSync(new URL("../schema/report.json", import.meta.url), "utf8")) as object;
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

const failing = resultOf({
  id: "FLOW-FAILS",
  outcome: "fail",
  reason: `expected one; got ${secret}`,
  expected: "one",
  actual: `${secret}\u001b[2J`,
  exchanges: [
    exchangeWith(JSON.stringify({ ok: false, echo: secret })),
    exchangeWith(`${"x".repeat(590)}${secret} and more`),
    exchangeWith(Buffer.from(`a${secret}`).toString("base64")),
    exchangeWith(secret.toUpperCase()),
    { ...exchangeWith(""), sentBytes: 30 },
    { request: exchangeWith("").request, from: "127.1.0.1", fault: "connection refused" },
    exchangeWith("", { answer: { status: 200, headers: new Map([[secret, ["1"]]]), body: new Uint8Array() } }),
    exchangeWith(`${secret.slice(0, -1)}, ${secret.slice(1)}`),
  ],
  story: {
    steps: [
      {
        what: `get_flow ${secret}`,
        action: secret,
        answers: [
          {
            answer: `409 ok:false ${secret.slice(0, -1)}\u001b[2J`,
            sent: { what: secret, action: secret, from: 0, to: 1 },
          },
        ],
        secondAnswers: [{ answer: secret }],
      },
    ],
    note: secret,
    requests: 1,
    replay: {
      format: REPLAY_FORMAT,
      property: "PROPERTY-READS",
      clause: "SESSION-BOUND",
      expected: `409, not ${secret}`,
      actual: `409 ok:false ${secret}`,
      seed: 1,
      run: 0,
      profile: "spec",
      target: "a gateway",
      steps: [{ do: "send", route: "route", body: { action: "list_flows" } }],
    },
  },
});

const reports: Record<string, Report> = {
  ...everyReport,
  failing: reportWith([failing], { run: { stderrTail: `warning: ${secret}\n`, notes: [`answered ${secret}`] } }),
  partial: reportWith([resultOf({ outcome: "not-applicable", reason: "needs clock", leftOut: true })], { unrun: 9 }),
};

describe.each(Object.entries(reports))("the %s report", (_, report) => {
  test("is valid by the published schema and by the suite's own, and survives a round trip", () => {
    const written = JSON.parse(JSON.stringify(report)) as unknown;
    expect(validate(written), JSON.stringify(validate.errors)).toBe(true);
    expect(reportSchema.parse(written)).toEqual(report);
  });

  test("holds no secret in any form, not even most of one", () => {
    const text = JSON.stringify(report);
    for (const form of formsOf(secret)) expect(text).not.toContain(form.text);
    expect(text.toLowerCase()).not.toContain(secret.slice(6, 30));
    expect(text.toLowerCase()).not.toContain(secret.slice(-24));
  });
});

test("the report says what was judged, when, with what, and what came of it", () => {
  expect(reports["failing"]).toMatchObject({
    format: "webhooks-conformance/report@3",
    suite: { version: suiteVersion(), ledger: suiteIdentity([]).ledger, cases: 1 },
    target: { name: "a gateway", product: "service" },
    profile: "spec",
    startedAt: "2025-01-02T03:04:05.678Z",
    ms: 1234,
    clock: "real",
    capabilities: ["addresses"],
    notes: ["answered ${WEBHOOKS_SECRET_LANE_01}"],
    verdict: { judgement: "not conformant", exitCode: 1, partial: false, failed: ["FLOW-FAILS"], open: [] },
    stderrTail: "warning: ${WEBHOOKS_SECRET_LANE_01}\n",
  });
  expect(reports["driven"]?.clock).toBe("driven");
  expect(suiteVersion()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(suiteIdentity([]).ledger).toMatch(/^[0-9a-f]{12}$/);
});

test("of thousands of headers a few are shown, and the others counted", () => {
  const headers = new Map(Array.from({ length: 1900 }, (_, index) => [`x-${index}`, ["1"]]));
  const answer = { status: 200, headers, body: new Uint8Array() };
  const report = reportWith([resultOf({ outcome: "fail", exchanges: [exchangeWith("", { answer })] })]);
  const shown = report.results[0]?.exchanges[0]?.answer;
  expect(shown?.headers).toHaveLength(40);
  expect(shown?.headersLeftOut).toBe(1860);
});

test("an exchange shows sizes as they were, and texts cut to what a person reads", () => {
  const [first, second, , , partial, none] = reports["failing"]?.results[0]?.exchanges ?? [];
  expect(first?.request.path).toBe("/plugins/webhooks/lane-01?secret=${WEBHOOKS_SECRET_LANE_01}");
  expect(first?.answer?.headers).toEqual([
    ["set-cookie", "token=${WEBHOOKS_SECRET_LANE_01}"],
    ["set-cookie", "plain"],
  ]);
  expect(second?.answer).toMatchObject({ bodyBytes: 590 + secret.length + 9 });
  expect(partial).toMatchObject({ sentBytes: 30 });
  expect(none).toMatchObject({ fault: "connection refused" });
  expect(none?.answer).toBeUndefined();
});

/** The body of a request as the report shows it. */
function shownOf(text: string): string | undefined {
  const { request, ...rest } = exchangeWith("");
  const result = resultOf({
    outcome: "fail",
    exchanges: [{ ...rest, request: { ...request, body: new TextEncoder().encode(text) } }],
  });
  return reportWith([result]).results[0]?.exchanges[0]?.request.body;
}

test("a request's body that is cut says its size", () => {
  expect(shownOf('{"a":1}')).toBe('{"a":1}');
  expect(shownOf(`{"a":1}${" ".repeat(9000)}`)).toBe('{"a":1}... (9007 bytes)');
  expect(shownOf("a".repeat(700))).toBe(`${"a".repeat(600)}... (700 bytes)`);
  expect(shownOf("a".repeat(9000))).toBe(`${"a".repeat(600)}... (9000 bytes)`);
});

test("an exchange has a line to send it again by hand only where the target still runs; the case can be run again", () => {
  const stopped = { baseUrl: undefined, start: { command: ["node", "server.mjs"] } };
  const [ran, runs] = [reportWith([failing], { target: stopped }), reports["failing"]];
  expect(ran.results[0]?.exchanges.filter(({ replay }) => replay !== undefined)).toEqual([]);
  expect(runs?.results[0]?.exchanges.filter(({ replay }) => replay === undefined)).toEqual([]);
  for (const text of [renderConsole(ran, painter(false)), renderHtml(ran)]) {
    expect(text).not.toMatch(/curl|BASE_URL/);
    expect(text).toContain("webhooks-conformance run --target mine.json --case FLOW-FAILS");
  }
});

test("what has more results than any run is no report", () => {
  const report = reportWith([resultOf({})]);
  const many = { ...report, results: Array.from({ length: 10_001 }, () => report.results[0]) };
  expect(reportSchema.safeParse(many).error?.issues).toMatchObject([{ path: ["results"], code: "too_big" }]);
});

test.each([
  ["2025-01-10", ["in the baseline, expiring within 14 days: FLOW-FAILS (accepted until 2025-01-10)"]],
  ["2025-02-10", []],
])("an entry of the baseline that expires within two weeks is noted: %s", (expires, notes) => {
  const entry = { case: "FLOW-FAILS", signature: "x", reason: "why", expires };
  expect(reportWith([resultOf()], { baseline: [entry], unrun: 1 }).notes).toEqual(notes);
});
