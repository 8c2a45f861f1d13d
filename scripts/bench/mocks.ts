/** What a request to a mock costs, compared with the plain handlers of msw and undici. */
import { http, HttpResponse, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { MockAgent, request, type Dispatcher } from "undici";
import { createWebhooksHandlers } from "../../fakes/mocks/msw.ts";
import { createWebhooksDispatcher } from "../../fakes/mocks/undici.ts";
import { mediansOf, WARM_UP, type Batches, type Measure } from "./measure.ts";

/** Below a window's budget; each batch gets a new window. */
const BATCH = 100;
const ROUNDS = 40;

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

interface Subject extends Batches {
  readonly send: () => Promise<void>;
  /** msw tries its handlers one after another, which costs time: each subject gets only its own. */
  readonly ownHandlers: readonly RequestHandler[];
}

const subject = (send: Subject["send"], ...ownHandlers: RequestHandler[]): Subject => ({
  send,
  ownHandlers,
  costs: [],
});

export const mocks: Measure = {
  about: `Microseconds of processor time for a request: medians of ${ROUNDS} batches of ${BATCH} requests, the mocks in turns. "plain" is a handler of msw, and a MockAgent of undici, that answers the same.`,
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
    const subjects = {
      msw: {
        plain: subject(byFetch("http://plain.test"), plain),
        "plain, reads the body": subject(byFetch("http://reading.test"), reading),
        "this package's": subject(byFetch(handlers.baseUrl), ...handlers.handlers),
      },
      undici: {
        plain: subject(byUndici("http://plain.test", agent)),
        "this package's": subject(byUndici(own.baseUrl, own.dispatcher)),
      },
    };

    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      for (const { send, ownHandlers, costs } of Object.values(subjects).flatMap((of) => Object.values<Subject>(of))) {
        server.resetHandlers(...ownHandlers);
        const start = process.cpuUsage();
        for (let sent = 0; sent < BATCH; sent += 1) await send();
        const { user, system } = process.cpuUsage(start);
        costs.push((user + system) / BATCH);
        await Promise.all([handlers.advance(60_000), own.advance(60_000)]);
      }
    }
    server.close();

    return { msw: mediansOf(Object.entries(subjects.msw)), undici: mediansOf(Object.entries(subjects.undici)) };
  },
};
