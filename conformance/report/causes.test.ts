/** Which failure is told first, and what is folded under it. */
import { expect, test } from "vitest";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { CaseResult } from "../harness/result.ts";
import { exchangeWith, reportWith, resultOf, type Given } from "../test-support/report.test-support.ts";
import { firstOf, troublesOf } from "./causes.ts";
import { verdictOf } from "./verdict.ts";

const fails = (id: string, clause: string, more: Given = {}) =>
  resultOf({ id, clauses: [clause] as never, outcome: "fail", expected: "a refusal", actual: "200", ...more });
const open = (id: string, reason: string, at: Given["at"] = "authentication") =>
  resultOf({ id, outcome: "unreached", reason, at });
const told = (...results: CaseResult[]) =>
  troublesOf(reportWith(results)).map((trouble) => `${trouble.stop}: ${firstOf(trouble)?.id}`);

test("failures are told in the order of a request's way, whatever the order of the cases", () => {
  expect(
    told(
      fails("STATES", "STATE-CANCEL"),
      fails("ORDERED", "ORDER-AUTH-BODY"),
      fails("BODY", "BODY-SIZE"),
      fails("SECRET", "AUTH-REQUIRED"),
      fails("RATE", "RATE-120"),
      fails("TYPE", "CONTENT-TYPE"),
      fails("VERB", "METHOD-POST"),
    ),
  ).toEqual([
    "method: VERB",
    "content type: TYPE",
    "rate limit: RATE",
    "authentication: SECRET",
    "body: BODY",
    "order of the checks: ORDERED",
    "states and revisions: STATES",
  ]);
});

test("red failures come before what is left open, and that before warnings", () => {
  const warning = fails("WARNS", "METHOD-POST", { outcome: "warn", level: "should" });
  expect(told(warning, open("OPEN", "it was not refused", "content type"), fails("RED", "STATE-CANCEL"))).toEqual([
    "states and revisions: RED",
    "content type: OPEN",
    "method: WARNS",
  ]);
});

test("a failure that does not turn the run red comes behind those that do", () => {
  const results = [fails("GAP", "METHOD-POST", { level: "gap" }), fails("MUST", "STATE-CANCEL")];
  const report = reportWith(results);
  const verdict = verdictOf({ suiteSize: 2, results: report.results, notCovered: {}, failOn: "must" });
  expect(troublesOf({ ...report, verdict }).map((trouble) => firstOf(trouble)?.id)).toEqual(["MUST", "GAP"]);
});

test("the cause that most share is told first, by the case with the fewest requests", () => {
  const [trouble] = troublesOf(
    reportWith([
      fails("ODD", "AUTH-REQUIRED", { actual: "500" }),
      fails("LONG", "AUTH-REQUIRED", { requests: 9 }),
      fails("SHORT", "AUTH-BEARER", { requests: 2 }),
      fails("MIDDLE", "AUTH-REQUIRED", { requests: 5 }),
    ]),
  );
  expect(trouble?.failing.map((cause) => cause.map(({ id }) => id))).toEqual([["SHORT", "MIDDLE", "LONG"], ["ODD"]]);
});

test("one signature at two stops is two causes: the checks there are different ones", () => {
  expect(told(fails("VERB", "METHOD-POST"), fails("BODY", "BODY-SIZE"))).toHaveLength(2);
});

const names = (results: readonly CaseResult[]) =>
  troublesOf(reportWith(results)).map(({ failing }) => failing.map((cause) => cause.map(({ id }) => id)));

test("one signature at two stops is one cause where it says what is wrong", () => {
  const wrong = { expected: "notifyPolicy: done_only", actual: "notifyPolicy: state_changes" };
  expect(names([fails("DEFAULT", "STATE-DEFAULTS", wrong), fails("SENT", "ACTION-CREATE-FLOW", wrong)])).toEqual([
    [["DEFAULT", "SENT"]],
  ]);
});

const asked = (action: string): CaseResult["exchanges"] => {
  const { request, ...others } = exchangeWith("{}");
  return [{ ...others, request: { ...request, body: new TextEncoder().encode(`{"action":"${action}"}`) } }];
};

test("an action that is refused where it has to be accepted is the cause of its other failures, at any stop", () => {
  const came = { actual: "409 ok:false task_not_created", exchanges: asked("run_task") };
  const story = {
    steps: [{ what: "run_task flowId=f1", action: "run_task", answers: [{ answer: "409 ok:false task_not_created" }] }],
    requests: 1,
  };
  const found = names([
    fails("PROPERTY-A", "RUN-TASK-STATUS", { expected: "another order", actual: "none", story }),
    fails("UNMANAGED", "ERROR-NOT-MANAGED", { ...came, expected: "409 not_managed", requests: 9 }),
    fails("ACCEPT", "ACTION-RUN-TASK", { ...came, expected: "the request accepted", requests: 3 }),
    fails("OTHER", "ACTION-RUN-TASK", { ...came, expected: "409 x", exchanges: asked("get_flow") }),
  ]);
  expect(found).toEqual([[["ACCEPT", "UNMANAGED", "PROPERTY-A"], ["OTHER"]]]);
});

test("what fails without the requests of other cases is told first", () => {
  const results = [
    fails("TAKES-WHAT-IS-LEFT", "METHOD-POST", { judgedAlone: "passes" }),
    fails("EXAMPLE", "STATE-CANCEL", { actual: "500", judgedAlone: "fails" }),
  ];
  expect(told(...results)).toEqual(["states and revisions: EXAMPLE", "method: TAKES-WHAT-IS-LEFT"]);
});

test("a single case is told before a property", () => {
  const story = { steps: [{ what: "x", answers: [] }], requests: 1 };
  const results = [
    fails("PROPERTY-A", "STATE-CANCEL", { expected: "x", actual: "y", story }),
    fails("EXAMPLE", "STATE-CANCEL", { level: "gap", requests: 99 }),
    fails("PROPERTY-B", "METHOD-POST", { expected: "x", actual: "z", story }),
  ];
  expect(told(...results)).toEqual(["states and revisions: EXAMPLE", "method: PROPERTY-B"]);
});

const part = (factor: string, value: string) => ({ factor, values: [value], right: 2 });
const played = { steps: [{ what: "x", answers: [] }], requests: 2 };

test("a row that is narrowed to its values is a case, and is told before one that names no values", () => {
  const results = [
    fails("RACE", "REVISION-STALE", { expected: "one applied", actual: "several" }),
    fails("ROW", "REVISION-STALE", {
      expected: "409",
      actual: "200",
      story: played,
      combination: [part("state", "failed")],
      requests: 200,
    }),
    fails("PROPERTY-A", "METHOD-POST", { expected: "x", actual: "y", story: played }),
  ];
  expect(names(results)).toEqual([[["ROW"], ["RACE"]], [["PROPERTY-A"]]]);
});

test("the cause that most share is told before a row", () => {
  const results = [
    fails("ROW", "AUTH-REQUIRED", { actual: "500", combination: [part("route", "nested path")] }),
    fails("A", "AUTH-REQUIRED"),
    fails("B", "AUTH-REQUIRED"),
  ];
  expect(names(results)).toEqual([[["A", "B"], ["ROW"]]]);
});

test("a row does not stand for a cause that most cases show without its values", () => {
  const row = fails("ROW", "AUTH-REQUIRED", { combination: [part("value", "an address")] });
  expect(names([row, fails("A", "AUTH-REQUIRED")])).toEqual([[["ROW", "A"]]]);
  expect(names([row, fails("A", "AUTH-REQUIRED"), fails("B", "AUTH-REQUIRED")])).toEqual([[["A", "B", "ROW"]]]);
});

test("of one cause that case is told first whose own clause is broken", () => {
  const finding = { expected: "status: finished", actual: "done", clause: "STATE-FINISH" as const };
  const about = (id: string, ...clauses: ClauseId[]) =>
    resultOf({ id, outcome: "fail", clauses, findings: [{ ...finding, exchanges: [] }], requests: clauses.length });
  const results = [
    about("ELSEWHERE", "ACTION-RUN-TASK"),
    about("BROAD", "STATE-SET-WAITING", "STATE-RESUME", "STATE-FINISH"),
    about("OWN", "ACTION-FINISH-FLOW", "STATE-FINISH", "STATE-RESUME", "STATE-FAIL"),
  ];
  expect(names(results)).toEqual([[["OWN", "BROAD", "ELSEWHERE"]]]);
});

test("the cause of more than two thirds of the failures is told first, at whatever stop", () => {
  const taken = { expected: "a flowId of its own", actual: "one that is taken" };
  const several = (count: number) =>
    Array.from({ length: count }, (_, index) => fails(`SEVERAL-${index}`, "FLOW-IDENTITY", taken));
  const early = [fails("EARLY", "METHOD-POST")];
  expect(told(...early, ...several(2))[0]).toBe("method: EARLY");
  expect(told(...early, ...several(3))[0]).toBe("actions: SEVERAL-0");
  expect(told(fails("LEAK", "SESSION-BOUND"), ...several(3))[0]).toBe("sessions and metadata: LEAK");
});

test("an invariant that is broken in several ways is told before a row that fails whatever its values", () => {
  const finding = { expected: "routeId: the id", actual: "routeId: a number" };
  const results = [
    fails("ROW", "ENVELOPE-ROUTE-ID", { ...finding, story: played, combination: [] }),
    fails("ALWAYS", "ENVELOPE-ROUTE-ID", { seenIn: ["ROW"], findings: [finding, { ...finding, actual: "none" }] }),
    fails("PROPERTY-A", "ENVELOPE-ROUTE-ID", { ...finding, story: played }),
  ];
  expect(names(results)).toEqual([[["ALWAYS", "ROW", "PROPERTY-A"]]]);
});

test("an invariant that is broken in several ways stands for a property that shows one of them", () => {
  const ways = ["null with 400", "null with 409"].map((actual) => ({ expected: "result: an object", actual }));
  const story = { steps: [{ what: "x", answers: [] }], requests: 1 };
  const results = [
    fails("PROPERTY-A", "STATE-CANCEL", { ...ways[1], story }),
    fails("ALWAYS", "ERROR-ENVELOPE", { findings: ways.map((way) => ({ ...way, exchanges: [] })), seenIn: ["X"] }),
  ];
  expect(names(results)).toEqual([[["ALWAYS", "PROPERTY-A"]]]);
});

test("what could not be judged hangs on the failure at the stop that kept it from being judged", () => {
  const [trouble, ...others] = troublesOf(
    reportWith([
      open("A", "a wrong secret is accepted as well"),
      fails("SECRET", "AUTH-REQUIRED"),
      open("B", "a wrong secret is accepted as well"),
      open("C", "a wrong secret was not refused"),
    ]),
  );
  expect(others).toEqual([]);
  expect(firstOf(trouble as never)?.id).toBe("SECRET");
  expect(trouble?.open.map((group) => group.map(({ id }) => id))).toEqual([["A", "B"], ["C"]]);
});

test("passes, known deviations and cases that do not apply are no trouble", () => {
  expect(told(resultOf(), resultOf({ id: "N", outcome: "not-applicable", reason: "needs clock" }))).toEqual([]);
});
