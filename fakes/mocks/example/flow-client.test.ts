import { afterEach, describe, expect, test } from "vitest";
import type { MockOptions, WebhooksMock } from "../mock.ts";
import type { OutcomeName } from "../outcomes.ts";
import { readPlaygroundOptions } from "../playground-options.ts";
import { openPlayground } from "../playground.ts";
import { closeWays, ways } from "../ways.test-support.ts";
import { FlowClient, Refused, Unanswered, type Flow, type FlowClientOptions } from "./flow-client.ts";

const secret = "correct-horse";
const options: MockOptions = { routes: { demo: { sessionKey: "session:demo", secret } }, clock: "driven" };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  closeWays();
  for (const close of closers.splice(0)) await close();
});

/** The fault that the first of these actions after the setup meets, and no other. */
interface Fault {
  readonly outcome: OutcomeName;
  readonly action: string;
}

interface Opened {
  readonly given: FlowClientOptions;
  /** Absent for `serve`. */
  readonly mock?: WebhooksMock;
}

const onCreate = (outcome: OutcomeName): Fault => ({ outcome, action: "create_flow" });

const gateways: { name: string; open(fault?: Fault): Promise<Opened> }[] = [
  ...ways.map(({ name, open }) => ({
    name: `the mock for ${name}`,
    open: async (fault?: Fault) => {
      const { mock, fetch: send } = open(options);
      if (fault !== undefined) mock.forceOnce(fault.outcome, { action: fault.action });
      return { mock, given: { url: `${mock.baseUrl}/plugins/webhooks/demo`, secret, fetch: send } };
    },
  })),
  {
    name: "serve",
    open: async (fault) => {
      const faultFlags = fault === undefined ? [] : ["--fault", `${fault.action}:${fault.outcome}=2`];
      const flags = ["--route", "demo", "--secret-env", "DEMO_SECRET", "--port", "0", ...faultFlags];
      const { url, close } = await openPlayground(
        readPlaygroundOptions(flags, { DEMO_SECRET: secret }),
        () => undefined,
        () => (text) => text,
      );
      closers.push(close);
      const given = { url: `${url}/plugins/webhooks/demo`, secret };
      // Every second action fails: this one takes the turn that passes.
      const { flowId } = await new FlowClient(given).createOnce("before");
      await new FlowClient(given).change(flowId, finish);
      return { given };
    },
  },
];

/** A client that does not really wait, and the milliseconds that it would have waited. */
function hurried(given: FlowClientOptions) {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { client: new FlowClient({ ...given, wait }), waits };
}

const finish = ({ status }: Flow) => (status === "finished" ? undefined : { action: "finish_flow" });

describe.each(gateways)("the example against $name", ({ open }) => {
  test("creates a flow once, however often it is asked to", async () => {
    const { client } = hurried((await open()).given);
    const flow = await client.createOnce("deploy, run 8841");
    expect(flow).toMatchObject({ revision: 0, goal: "deploy, run 8841" });
    expect(await client.createOnce("deploy, run 8841")).toEqual(flow);
    expect(await client.createOnce(" deploy, run 8841\n")).toEqual(flow);
    expect((await client.createOnce("deploy, run 8842")).flowId).not.toBe(flow.flowId);
  });

  test("does not create again what was created, though the answer was lost", async () => {
    const { given } = await open(onCreate("lost_answer"));
    const { client, waits } = hurried(given);
    await client.createOnce("deploy, run 8841");
    expect(waits).toEqual([1000]);
    const flows = await listed(given);
    expect(flows.map(({ goal }) => goal)).toEqual(["deploy, run 8841"]);
  });

  test.each(["no_answer", "persist_failed", "rate_limited"] as const)(
    "creates at the second attempt what met %s",
    async (outcome) => {
      const { given } = await open(onCreate(outcome));
      const { client, waits } = hurried(given);
      await client.createOnce("deploy, run 8841");
      expect(waits).toEqual([1000]);
      expect(await listed(given)).toHaveLength(1);
    },
  );

  test("reads the flow again when another caller was faster, and decides anew", async () => {
    const { given } = await open();
    const { client } = hurried(given);
    const { flowId } = await client.createOnce("deploy, run 8841");
    const { fetch: send = (url: string, init: RequestInit) => fetch(url, init) } = given;
    let faster: Promise<unknown> | undefined;
    const slow = new FlowClient({
      ...given,
      fetch: async (url, init) => {
        const isFinish = (init.body as string).includes("finish_flow");
        if (isFinish) await (faster ??= client.change(flowId, () => ({ action: "set_waiting" })));
        return send(url, init);
      },
    });
    const seen: number[] = [];
    const finished = await slow.change(flowId, (flow) => {
      seen.push(flow.revision);
      return finish(flow);
    });
    expect([seen, finished.revision, finished.status]).toEqual([[0, 1], 2, "finished"]);
  });

  test("does not change again what was changed, though the answer was lost", async () => {
    const { given } = await open({ outcome: "lost_answer", action: "finish_flow" });
    const { client, waits } = hurried(given);
    const { flowId } = await client.createOnce("deploy, run 8841");
    expect(await client.change(flowId, finish)).toMatchObject({ status: "finished", revision: 1 });
    expect(waits).toEqual([1000]);
  });

  test("says no at once where another attempt would not help", async () => {
    const { given, mock } = await open();
    const refused = (more: Partial<FlowClientOptions>, act: (client: FlowClient) => Promise<unknown>) =>
      act(hurried({ ...given, ...more }).client).catch((error: unknown) => error);
    expect(await refused({ secret: "wrong" }, (client) => client.createOnce("a goal"))).toMatchObject({ status: 401 });
    expect(await refused({}, (client) => client.change("none", finish))).toMatchObject({ code: "not_found" });
    expect(await refused({ url: `${given.url}/none` }, (client) => client.createOnce("a goal"))).toBeInstanceOf(
      Refused,
    );
    if (mock) expect(mock.received).toHaveLength(3);
  });
});

async function listed({ url, secret, fetch: send = fetch }: FlowClientOptions): Promise<Flow[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
  const answer = await send(url, { method: "POST", headers, body: '{"action":"list_flows"}' });
  const { flows } = ((await answer.json()) as { result: { flows: Flow[] } }).result;
  return flows.filter(({ goal }) => goal !== "before");
}

describe.each(gateways.filter(({ name }) => name !== "serve"))("the example against $name", ({ open }) => {
  test("gets through a used-up budget by waiting for the window's end", async () => {
    const { given, mock } = await open();
    for (let sent = 0; sent < 120; sent += 1) await listed(given);
    const waits: number[] = [];
    const wait = (ms: number) => {
      waits.push(ms);
      return mock?.advance(ms) ?? Promise.resolve();
    };
    await new FlowClient({ ...given, wait }).createOnce("deploy, run 8841");
    expect(waits).toEqual([60_000]);
  });

  test("gives up in the end", async () => {
    const { given, mock } = await open();
    for (let time = 0; time < 6; time += 1) mock?.forceOnce("no_answer");
    const { client, waits } = hurried(given);
    await expect(client.createOnce("deploy, run 8841")).rejects.toBeInstanceOf(Unanswered);
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });
});
