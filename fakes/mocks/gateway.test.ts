import { afterEach, expect, test } from "vitest";
import { createDrivenClock } from "../clock.ts";
import { openMockGateway, type MockGatewayOptions } from "./gateway.ts";
import { exchange } from "./memory-exchange.ts";

let driven = createDrivenClock();
afterEach(() => void (driven = createDrivenClock()));

const open = (more: Partial<MockGatewayOptions> = {}) =>
  openMockGateway({
    routes: { demo: { sessionKey: "session:demo", secret: "correct-horse" } },
    product: "service",
    clock: driven.clock,
    nextOutcome: () => undefined,
    ...more,
  });

const send = ({ handle }: ReturnType<typeof open>, body: object, signal?: AbortSignal) =>
  exchange(
    handle,
    {
      method: "POST",
      url: "/plugins/webhooks/demo",
      headers: { "content-type": "application/json", authorization: "Bearer correct-horse" },
      body: Buffer.from(JSON.stringify(body)),
    },
    signal,
  );

const resultOf = (answer: Awaited<ReturnType<typeof exchange>>) =>
  (JSON.parse(Buffer.from(answer?.body ?? []).toString()) as { result: Record<string, Record<string, unknown>> })
    .result;

test("a slow gateway holds slots: the ninth at once is refused, and one whose caller gave up is free again", async () => {
  const gateway = open({ latencyMs: 500 });
  const list = { action: "list_flows" };
  const gone = new AbortController();
  const first = send(gateway, list, gone.signal);
  const others = Array.from({ length: 7 }, () => send(gateway, list));
  expect((await send(gateway, list))?.status).toBe(429);
  gone.abort();
  const next = send(gateway, list);
  // Lets the other requests reach their delay.
  await new Promise((resolve) => setImmediate(resolve));
  await driven.advance(500);
  await first;
  expect((await Promise.all([next, ...others])).map((answer) => answer?.status)).toEqual(Array(8).fill(200));
});

test("active child tasks succeed by themselves after the time asked for", async () => {
  const gateway = open({ tasksEndMs: 2000 });
  const { flowId } = gateway.flows.seed({ sessionKey: "session:demo" });
  await send(gateway, { action: "run_task", flowId, runtime: "acp", task: "dig", status: "running" });
  const summary = async () => resultOf(await send(gateway, { action: "get_task_summary", flowId }))["summary"];
  expect(await summary()).toMatchObject({ total: 1, active: 1 });
  await driven.advance(2000);
  expect(await summary()).toMatchObject({ active: 0, byStatus: { succeeded: 1 } });
});

test("the record is bounded", async () => {
  const gateway = open();
  for (let sent = 0; sent < 1001; sent += 1) await send(gateway, { action: "list_flows", sent });
  expect(gateway.received).toHaveLength(1000);
});
