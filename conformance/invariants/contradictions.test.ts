import { expect, test } from "vitest";
import { createFlow, change, getFlow, runTask } from "../interface/bodies.ts";
import type { ActionBody } from "../interface/request.ts";
import type { Finding } from "../harness/finding.ts";
import type { Server } from "../targets/server.ts";
import { flowRules } from "./contradictions.ts";

const encode = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

const noTime = { real: 0, least: 0, most: 0 };

/** Sends and answers one after the other, or as the test says. */
function observer() {
  const watcher = flowRules.find(({ id }) => id === "NEVER-CONTRADICTS")?.watch?.() ?? {};
  const server = {} as Server;
  let order = 0;
  const depart = (body: ActionBody | string): number => {
    order += 1;
    const request = { method: "POST", path: "/", headers: [], body: encode(body) };
    watcher.request?.({ server, request, from: "", order, at: noTime });
    return order;
  };
  const arrive = (sent: number, flow: object): Finding | undefined => {
    order += 1;
    const answer = { status: 200, headers: new Map(), body: encode({ ok: true, routeId: "r", result: { flow } }) };
    const request = { method: "POST", path: "/", headers: [], body: new Uint8Array() };
    return watcher.exchange?.({
      server,
      of: { id: "A" },
      exchange: { request, from: "", answer },
      sent,
      order,
      at: noTime,
    });
  };
  const both = (body: ActionBody, flow: object) => arrive(depart(body), flow);
  return { depart, arrive, both };
}

const flow = { flowId: "f-1", revision: 0, status: "queued" };
const at = (revision: number, status: string) => ({ ...flow, revision, status });

test("the next read has to show what the answer to a change showed", () => {
  const { both } = observer();
  both(createFlow(), flow);
  both(change("set_waiting", flow), at(1, "waiting"));
  expect(both(getFlow("f-1"), at(1, "waiting"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(1, "queued"))).toMatchObject({ actual: "another status" });
  expect(observerAfterChange().both(getFlow("f-1"), at(5, "waiting"))).toMatchObject({ actual: "another revision" });
});

test("of two equal names in a request the server may take either", () => {
  const { depart, arrive, both } = observerAfterChange();
  const body = '{"action":"finish_flow","flowId":"f-1","expectedRevision":1,"action":"list_flows","flowId":"none"}';
  arrive(depart(body), { flowId: "other", revision: 0 });
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
});

test("a create_flow shows no flow that was there before it was sent, but may show one that was first seen on its way", () => {
  const { both, depart, arrive } = observerAfterChange();
  expect(both(createFlow(), at(1, "waiting"))).toMatchObject({ actual: "one that was there before" });
  const [first, second] = [depart(createFlow()), depart(createFlow())];
  const other = { ...flow, flowId: "f-2" };
  expect(arrive(first, other)).toBeUndefined();
  expect(arrive(second, other)).toBeUndefined();
});

function observerAfterChange() {
  const one = observer();
  one.both(createFlow(), flow);
  one.both(change("set_waiting", flow), at(1, "waiting"));
  return one;
}

test("a change between two reads may have changed the flow, also one that is refused or not yet answered", () => {
  const { both, depart, arrive } = observerAfterChange();
  const pending = depart(change("finish_flow", at(1, "waiting")));
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
  expect(arrive(pending, at(2, "finished"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(2, "failed"))).toMatchObject({ actual: "another status" });
});

test("a change that is held may be applied between two reads, or after it was given up", () => {
  const { both, depart, arrive } = observerAfterChange();
  const held = depart(change("finish_flow", at(1, "waiting")));
  expect(both(getFlow("f-1"), at(1, "waiting"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
  expect(arrive(held, at(2, "finished"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
  depart({ action: "fail_flow", flowId: "f-1", expectedRevision: 2 });
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(3, "failed"))).toBeUndefined();
});

test("what the answer to one of two changes shows is compared only once both are answered", () => {
  const { both, depart, arrive } = observerAfterChange();
  const first = depart(change("finish_flow", at(1, "waiting")));
  const second = depart({ action: "fail_flow", flowId: "f-1", expectedRevision: 2 });
  expect(arrive(first, at(2, "finished"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(3, "failed"))).toBeUndefined();
  expect(arrive(second, at(3, "failed"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(3, "failed"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(3, "queued"))).toMatchObject({ actual: "another status" });
});

test("a flow that was first seen in a read may have been changed by what was sent before", () => {
  const { both } = observer();
  both({ action: "list_flows" }, flow);
  expect(both(getFlow("f-1"), at(1, "waiting"))).toBeUndefined();
});

test("a read that was on its way when the flow was changed may show it before or after", () => {
  const { depart, arrive, both } = observerAfterChange();
  const read = depart(getFlow("f-1"));
  both(change("finish_flow", at(1, "waiting")), at(2, "finished"));
  expect(arrive(read, at(1, "waiting"))).toBeUndefined();
  expect(both(getFlow("f-1"), at(2, "finished"))).toBeUndefined();
});

test("a revision that another has replaced is not shown again, whatever happens to the flow", () => {
  const { both, depart, arrive } = observerAfterChange();
  const early = depart(getFlow("f-1"));
  both({ action: "request_cancel", flowId: "f-1", expectedRevision: 1 }, at(2, "waiting"));
  expect(arrive(early, at(1, "waiting"))).toBeUndefined();
  expect(both({ action: "list_flows" }, at(1, "waiting"))).toMatchObject({
    actual: "a revision that was replaced before",
  });
});

test("a flow with a child may change by itself", () => {
  const { both } = observerAfterChange();
  both(runTask("f-1"), at(1, "waiting"));
  expect(both(getFlow("f-1"), at(2, "queued"))).toBeUndefined();
});

test("half a character may be shown as what stands in its place", () => {
  const { both } = observer();
  both(createFlow(), { ...flow, goal: "half \ud800" });
  expect(both(getFlow("f-1"), { ...flow, goal: "half \ufffd" })).toBeUndefined();
  expect(both(getFlow("f-1"), { ...flow, goal: "half" })).toMatchObject({ actual: "another goal" });
});

test("state data may be shown as a value or as its text", () => {
  const { both } = observer();
  both(createFlow(), { ...flow, stateJson: { a: [1] } });
  expect(both(getFlow("f-1"), { ...flow, stateJson: '{"a":[1]}' })).toBeUndefined();
  expect(both(getFlow("f-1"), { ...flow, stateJson: { a: [2] } })).toMatchObject({ actual: "another stateJson" });
});
