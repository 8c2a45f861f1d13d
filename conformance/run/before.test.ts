/** Which steps a report lists before the exchanges of a failure. */
import { expect, test } from "vitest";
import { keyText, type Done } from "../harness/case-record.ts";
import type { Exchange } from "../http/exchange.ts";
import { earlierText } from "../report/story-text.ts";
import { beforeOf } from "./before.ts";

const exchange = (body: Record<string, unknown>, flowId = "", status = 200): Exchange => ({
  request: { method: "POST", path: "/a", headers: [], body: new TextEncoder().encode(JSON.stringify(body)) },
  from: "127.0.0.1",
  answer: {
    status,
    headers: new Map(),
    body: new TextEncoder().encode(JSON.stringify({ ok: status < 300, result: flowId === "" ? {} : { flowId } })),
  },
});

type Step = Exchange | string;
/** One every 10 ms from one client; a number is ms that pass. */
function done(steps: readonly (Step | number)[]): Done[] {
  let now = 5;
  return steps.flatMap((what) => {
    now += typeof what === "number" ? what : 10;
    return typeof what === "number"
      ? []
      : [{ what, at: now, key: typeof what === "string" ? undefined : keyText(what) }];
  });
}
const before = (steps: readonly (Step | number)[], shown: Exchange[], all: boolean, most = Infinity) =>
  earlierText([...beforeOf(done(steps), shown, all)], most);

const created = exchange({ action: "create_flow", goal: "x" }, "flow-1");
const other = exchange({ action: "create_flow", goal: "x" }, "flow-2");
const acp = exchange({ action: "run_task", flowId: "flow-1", runtime: "acp" });
const refused = exchange({ action: "run_task", flowId: "flow-1", runtime: "subagent" }, "", 409);

test("those about the flow that the failure names, with what sets the same action apart", () => {
  expect(before([other, created, acp, refused], [refused], false)).toEqual([
    "... 1 other step",
    "2. create_flow -> 200 ok:true",
    '3. run_task runtime="acp" -> 200 ok:true',
  ]);
});

test("none where no step has to do with the failure: its twin and the like", () => {
  expect(before([created, other], [other], false)).toEqual([]);
  expect(before([created], [exchange({ action: "create_flow" })], false)).toEqual([]);
});

test("what was done beside requests, and not what came behind", () => {
  const steps = [created, "storing fails: task", refused, "storing works again", acp];
  expect(before(steps, [refused], false)).toEqual(["1. create_flow -> 200 ok:true", "2. storing fails: task"]);
});

test("every request where limits are met, each with its time; of many the first ones and the last", () => {
  const many = Array.from({ length: 120 }, () => created);
  expect(before([...many, 59_000, other, other, refused], [refused], true)).toEqual([
    "t = 0 to 1.19 s: create_flow -> 200 ok:true (120 times)",
    "t = 60.2 to 60.21 s: create_flow -> 200 ok:true (2 times)",
    "t = 60.22 s: the request of this failure -> 409 ok:false",
  ]);
  const turns = Array.from({ length: 52 }, () => [created, acp]).flat();
  const lines = before([...turns, refused], [refused], true);
  expect(lines).toHaveLength(101);
  expect(lines[2]).toBe("... 5 other steps");
  const brief = before([...turns, refused], [refused], true, 5);
  expect(brief).toEqual([...lines.slice(0, 2), "... 101 other steps", ...lines.slice(-2)]);
});

test("of other keys only what there is room for, with their names", () => {
  const elsewhere = { ...created, from: "127.0.0.2" };
  expect(before([created, elsewhere, refused], [refused], true)[1]).toBe(
    "t = 0.01 s: create_flow from 127.0.0.2 -> 200 ok:true",
  );
  const turns = Array.from({ length: 9 }, () => [created, elsewhere]).flat();
  expect(before([...turns, refused], [refused], true)).toEqual([
    "t = 0 to 0.16 s: create_flow -> 200 ok:true (9 times)",
    "... 9 other steps",
    "t = 0.18 s: the request of this failure -> 409 ok:false",
  ]);
});

test("times where a second passes, in any case", () => {
  expect(before([created, 15_000, acp, refused], [refused], false)[1]).toBe(
    't = 15.01 s: run_task runtime="acp" -> 200 ok:true',
  );
});

test("a body that is nested too deep to be written is no fault of the suite", () => {
  const deep = `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`;
  const body = new TextEncoder().encode(`{"action":"create_flow","goal":"x","flowId":"flow-1","stateJson":${deep}}`);
  const nested = { ...created, request: { ...created.request, body } };
  expect(before([nested, acp, refused], [refused], false)[0]).toContain("create_flow");
});
