/**
 * `npm run mocks:bench`: what a request costs on each mock, beside handlers that msw and undici answer by themselves, all
 * in one run: processor time, in batches that take turns, so that what else the machine does counts little and for all.
 */
import { http, HttpResponse, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { MockAgent, request, type Dispatcher } from "undici";
import { createWebhooksHandlers } from "../fakes/mocks/msw.ts";
import { createWebhooksDispatcher } from "../fakes/mocks/undici.ts";

/** Below the budget of a window, which is made new after each batch. */
const BATCH = 100;
const WARM_UP = 5;
const ROUNDS = 40;

const path = "/plugins/webhooks/demo";
const routes = { demo: { sessionKey: "session:demo", secret: "correct-horse" } };
const answer = { ok: true, routeId: "demo", result: { flow: null } };
const init = {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer correct-horse" },
  body: '{"action":"get_flow","flowId":"none"}',
} as const;

const handlers = createWebhooksHandlers({ routes, clock: "driven" });
const own = createWebhooksDispatcher({ routes, clock: "driven" });
const agent = new MockAgent();
agent.disableNetConnect();
agent
  .get("http://plain.test")
  .intercept({ path, method: "POST" })
  .reply(200, JSON.stringify(answer), { headers: { "content-type": "application/json" } })
  .persist();
const server = setupServer();
server.listen({ onUnhandledRequest: "error" });

/** msw tries its handlers in turn, each at a price: whose turn it is stands there alone. */
const alone: Readonly<Record<string, readonly RequestHandler[]>> = {
  "msw, plain handler": [http.post(`http://plain.test${path}`, () => HttpResponse.json(answer))],
  "msw, plain handler that reads the body": [
    http.post(`http://reading.test${path}`, async ({ request }) => {
      const { action } = (await request.json()) as { action: string };
      return HttpResponse.json({ ...answer, action });
    }),
  ],
  "webhooks-conformance/msw": handlers.handlers,
};

const byFetch = (origin: string) => async () => {
  const given = await fetch(`${origin}${path}`, init);
  if (given.status !== 200 || (await given.text()) === "") throw new Error(`${origin} answered ${given.status}`);
};
const byUndici = (origin: string, dispatcher: Dispatcher) => async () => {
  const given = await request(`${origin}${path}`, { ...init, dispatcher });
  if (given.statusCode !== 200 || (await given.body.text()) === "") throw new Error(`answered ${given.statusCode}`);
};

const subjects: Readonly<Record<string, () => Promise<void>>> = {
  "msw, plain handler": byFetch("http://plain.test"),
  "msw, plain handler that reads the body": byFetch("http://reading.test"),
  "webhooks-conformance/msw": byFetch(handlers.baseUrl),
  "undici, MockAgent": byUndici("http://plain.test", agent),
  "webhooks-conformance/undici": byUndici(own.baseUrl, own.dispatcher),
};

const times = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
  for (const [name, send] of Object.entries(subjects)) {
    server.resetHandlers(...(alone[name] ?? []));
    const start = process.cpuUsage();
    for (let sent = 0; sent < BATCH; sent += 1) await send();
    const { user, system } = process.cpuUsage(start);
    if (round >= WARM_UP) times.get(name)?.push((user + system) / BATCH);
    await Promise.all([handlers.advance(60_000), own.advance(60_000)]);
  }
}
server.close();

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const plain = median(times.get("msw, plain handler") ?? []);
process.stdout.write(
  `${BATCH * ROUNDS} requests each, medians of ${ROUNDS} batches of processor time, node ${process.version}\n`,
);
for (const [name, each] of times) {
  const microseconds = median(each);
  const ratio = (microseconds / plain).toFixed(2);
  process.stdout.write(
    `${name.padEnd(40)} ${microseconds.toFixed(0).padStart(5)} us  ${ratio} of msw's plain handler\n`,
  );
}
