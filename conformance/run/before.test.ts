/** Which steps a report lists before the exchanges of a failure. */
import { expect, test } from "vitest";
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

const before = (...given: Parameters<typeof beforeOf>) => earlierText([...beforeOf(...given)], Infinity);

const created = exchange({ action: "create_flow", goal: "x" }, "flow-1");
const other = exchange({ action: "create_flow", goal: "x" }, "flow-2");
const acp = exchange({ action: "run_task", flowId: "flow-1", runtime: "acp" });
const refused = exchange({ action: "run_task", flowId: "flow-1", runtime: "subagent" }, "", 409);

test("those about the flow that the failure names, with what sets the same action apart", () => {
  expect(before([other, created, acp, refused], [refused], false)).toEqual([
    "1. create_flow -> 200 ok:true",
    '2. run_task runtime="acp" -> 200 ok:true',
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

test("every request where limits are met, alike ones as one, the last hundred steps, fewer at a glance", () => {
  const many = Array.from({ length: 120 }, () => created);
  expect(before([...many, refused], [refused], true)).toEqual(["1. create_flow -> 200 ok:true (120 times)"]);
  const turns = Array.from({ length: 52 }, () => [created, acp]).flat();
  const lines = before([...turns, refused], [refused], true);
  expect(lines).toHaveLength(101);
  expect(lines[0]).toBe("... 4 steps before");
  expect(lines.at(-1)).toBe('104. run_task runtime="acp" -> 200 ok:true');
  const brief = earlierText([...beforeOf([...turns, refused], [refused], true)], 5);
  expect(brief).toEqual(["... 99 steps before", ...lines.slice(-5)]);
});

test("a body that is nested too deep to be written is no fault of the suite", () => {
  const deep = `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`;
  const body = new TextEncoder().encode(`{"action":"create_flow","goal":"x","flowId":"flow-1","stateJson":${deep}}`);
  const nested = { ...created, request: { ...created.request, body } };
  expect(before([nested, acp, refused], [refused], false)[0]).toContain("create_flow");
});
