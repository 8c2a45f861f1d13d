/** What a request to a mock costs, compared with the plain handlers of msw and undici. */
import { http, HttpResponse, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { MockAgent, request, type Dispatcher } from "undici";
import { createWebhooksHandlers } from "../../fakes/mocks/msw.ts";
import { createWebhooksDispatcher } from "../../fakes/mocks/undici.ts";
import { median, type Measure } from "./measure.ts";

/** Below a window's budget; each batch gets a new window. */
const BATCH = 100;
const WARM_UP = 5;
const ROUNDS = 40;
const PLAIN = "msw, plain handler";
const MOCK_AGENT = "undici, MockAgent";

const path = "/plugins/webhooks/demo";
const routes = { demo: { sessionKey: "session:demo", secret: "correct-horse" } };
const answer = { ok: true, routeId: "demo", result: { flow: null } };
const init = {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer correct-horse" },
  body: '{"action":"get_flow","flowId":"none"}',
} as const;

const byFetch = (origin: string) => async () => {
  const given = await fetch(`${origin}${path}`, init);
  if (given.status !== 200 || (await given.text()) === "") throw new Error(`${origin} answered ${given.status}`);
};
const byUndici = (origin: string, dispatcher: Dispatcher) => async () => {
  const given = await request(`${origin}${path}`, { ...init, dispatcher });
  if (given.statusCode !== 200 || (await given.body.text()) === "") throw new Error(`answered ${given.statusCode}`);
};

export const mocks: Measure = {
  about: `Microseconds of processor time for a request: medians of ${ROUNDS} batches of ${BATCH} requests, the mocks in turns.`,
  async measure() {
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

    const reading = http.post(`http://reading.test${path}`, async ({ request }) => {
      const { action } = (await request.json()) as { action: string };
      return HttpResponse.json({ ...answer, action });
    });
    const plain = http.post(`http://plain.test${path}`, () => HttpResponse.json(answer));
    /** msw tries its handlers one after another, which costs time: each subject gets only its own. */
    const subjects: Readonly<Record<string, readonly [send: () => Promise<void>, ...handlers: RequestHandler[]]>> = {
      [PLAIN]: [byFetch("http://plain.test"), plain],
      "msw, plain handler that reads the body": [byFetch("http://reading.test"), reading],
      "webhooks-conformance/msw": [byFetch(handlers.baseUrl), ...handlers.handlers],
      [MOCK_AGENT]: [byUndici("http://plain.test", agent)],
      "webhooks-conformance/undici": [byUndici(own.baseUrl, own.dispatcher)],
    };

    const times = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      for (const [name, [send, ...ownHandlers]] of Object.entries(subjects)) {
        server.resetHandlers(...ownHandlers);
        const start = process.cpuUsage();
        for (let sent = 0; sent < BATCH; sent += 1) await send();
        const { user, system } = process.cpuUsage(start);
        if (round >= WARM_UP) times.get(name)?.push((user + system) / BATCH);
        await Promise.all([handlers.advance(60_000), own.advance(60_000)]);
      }
    }
    server.close();

    return [...times].map(([what, each]) => ({
      what,
      value: median(each),
      unit: "us",
      against: what.includes("undici") ? MOCK_AGENT : PLAIN,
    }));
  },
};
