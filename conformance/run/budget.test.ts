import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Case } from "../harness/case.ts";
import type { Launched } from "../targets/launch.ts";
import { inProcessTarget } from "../targets/in-process.ts";
import { caseOf, gateway, judged } from "../test-support/gateway.test-support.ts";
import { Budget } from "./budget.ts";

const requestTimeoutMs = 20_000;
const stuck: Case["run"] = () => new Promise(() => {});

test.each([
  ["of a short run is five minutes", undefined, 10_000, "5 minutes", false],
  ["is three times the estimate", undefined, 600_000, "30 minutes", false],
  ["is never more than an hour by itself", undefined, 36_000_000, "60 minutes", true],
  ["is what the user allows", 90_000, 600_000, "90 s", true],
])("the budget %s", (_, maxMs, estimateMs, limit, isShort) => {
  const budget = new Budget({ requestTimeoutMs, maxMs });
  budget.estimated(estimateMs);
  budget.close();
  expect(budget.limit).toBe(limit);
  expect(budget.isShorterThan(estimateMs)).toBe(isShort);
  expect(budget.over).toBeUndefined();
});

test("a run that takes much longer than estimated says so", async () => {
  const told = await new Promise<string>((onNotice) => {
    const budget = new Budget({ requestTimeoutMs, maxMs: 60_000, onNotice });
    onTestFinished(() => budget.close());
    budget.estimated(-20_000);
  });
  expect(told).toBe("slower than estimated: ends after 60 s at the latest");
});

const answered: RequestListener = (_request, response) =>
  void response.end('{"ok":true,"routeId":"probe","result":{}}');

const listening = async (listener: RequestListener): Promise<Launched> => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, ending: undefined, stderrTail: "", stop: async () => {} };
};

/** Its first `answers` requests are answered, and then none. */
const silentAfter = (answers: number): Promise<Launched> => {
  let asked = 0;
  return listening((request, response) => void ((asked += 1) <= answers && answered(request, response)));
};

test.each<[string, () => Promise<Launched>]>([
  ["never comes up", () => new Promise(() => {})],
  ["never answers", () => silentAfter(0)],
  ["answers until it is ready", () => silentAfter(1)],
  [
    "has a control port that never answers",
    async () => ({ ...(await listening(answered)), control: (await silentAfter(0)).origin }),
  ],
])(
  "a target that %s is waited for no longer than the run may take",
  async (_, launch) => {
    const target = inProcessTarget(
      { name: "silent", requestTimeoutMs: 60_000, start: { command: ["none"], readyTimeoutMs: 60_000 } },
      launch,
    );
    const started = performance.now();
    const running = judged(target, [caseOf("ANY")], { maxMs: 500 });
    await expect(running).rejects.toThrow("the target was not ready: the run's time budget of 1 s is over");
    expect(performance.now() - started).toBeLessThan(10_000);
  },
  20_000,
);

test("what earlier runs of the command have taken counts", async () => {
  const budget = new Budget({ requestTimeoutMs, maxMs: 600_000, spentMs: 599_990 });
  await once(budget.signal, "abort");
  expect(budget.over).toBe("the run's time budget of 10 minutes is over");
});

test("when the time is over every case has a result, and none is passed for want of time", async () => {
  const notices: string[] = [];
  const seen: string[] = [];
  const cases = [
    caseOf("QUICK"),
    caseOf("STUCK-ALONE", { alone: true, run: stuck }),
    caseOf("LATER", { alone: true }),
    ...Array.from({ length: 12 }, (_, index) => caseOf(`STUCK-${index}`, { run: stuck })),
    caseOf("LAST"),
  ];
  const started = performance.now();
  const { of, results } = await judged(gateway(["stubborn"]), cases, {
    maxMs: 6000,
    onNotice: (notice) => notices.push(notice),
    onResult: ({ id }) => seen.push(id),
  });
  expect(performance.now() - started).toBeLessThan(20_000);
  const over = "the run's time budget of 6 s is over";
  expect(of("QUICK").outcome).toBe("pass");
  expect(of("STUCK-ALONE")).toMatchObject({ outcome: "unreached", reason: `not finished: ${over}` });
  expect(of("LATER")).toMatchObject({ outcome: "unreached", reason: `not tried: ${over}` });
  expect(of("LAST")).toMatchObject({ outcome: "unreached", reason: `not tried: ${over}` });
  expect(results).toHaveLength(cases.length);
  expect(seen.toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  expect(notices).toEqual([expect.stringMatching(/^about \d+ s \(16 cases at .*; 1 more start.*ends after 6 s/)]);
});
