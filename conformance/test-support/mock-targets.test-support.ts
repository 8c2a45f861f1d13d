/** The mocks as targets of the suite: a small server in front forwards each request through the mocked client. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { setupServer } from "msw/node";
import { request as undiciRequest } from "undici";
import type { Launch, LaunchTarget } from "../library/index.ts";
import { launchOf } from "../proof/launch.ts";
import { environmentOf } from "../targets/configuration.ts";
import { refusedLaunch } from "../targets/launch.ts";
import { startControl, type ControlOptions } from "../../fakes/control.ts";
import { IN_PROCESS } from "./gateway.test-support.ts";
import { checkDocument } from "../../fakes/document.ts";
import { messageOf } from "../../fakes/errors.ts";
import { closeServer, listen } from "../../fakes/gateway.ts";
import { resolveSecrets } from "../../fakes/secrets.ts";
import { CLIENT_ADDRESS } from "../../fakes/mocks/memory-exchange.ts";
import type { MockOptions, WebhooksMock } from "../../fakes/mocks/mock.ts";
import { createWebhooksHandlers } from "../../fakes/mocks/msw.ts";
import { createWebhooksDispatcher } from "../../fakes/mocks/undici.ts";

/** Forwards a request and calls `taken` once the mock has its head. Rejects when there is no answer. */
type Forward = (request: IncomingMessage, signal: AbortSignal, taken: () => void) => Promise<Forwarded>;

interface Forwarded {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

interface Judged {
  readonly mock: WebhooksMock;
  readonly forward: Forward;
}

/**
 * A body that is owed for so long never reaches msw: the connection is closed, well within the suite's own timeout. Some
 * forty cases would wait for an answer otherwise, and use up the time that a run has for missing answers, ms.
 */
const OWED_MS = 2500;

/** Headers that concern one connection, or the framing of the body on it. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "expect",
  "host",
  "upgrade",
]);

const headersOf = (request: IncomingMessage): [string, string][] =>
  Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    hopByHop.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  );

/** The target of a request that names the host as well (RFC 9112, 3.2.2). */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]*/i, "");

// One for the process: servers of msw that come and go would undo each other's patches.
const interception = setupServer();
let listening = false;
let gateways = 0;

/** Restores fetch and node:http. */
export function endInterception(): void {
  interception.close();
  listening = false;
}

function mswJudged(options: MockOptions): Judged {
  const mock = createWebhooksHandlers({ ...options, baseUrl: `http://gateway-${++gateways}.test` });
  if (!listening) interception.listen({ onUnhandledRequest: "error" });
  listening = true;
  interception.use(...mock.handlers);
  return {
    mock,
    forward: async (request, signal, taken) => {
      const { method = "", url = "" } = request;
      // fetch passes msw a complete body.
      taken();
      const whole = AbortSignal.any([signal, AbortSignal.timeout(OWED_MS)]);
      const body = (await request.toArray({ signal: whole })) as Buffer[];
      const sent = body.length === 0 ? {} : { body: Buffer.concat(body) };
      const answer = await fetch(`${mock.baseUrl}${pathOf(url)}`, {
        method,
        headers: headersOf(request),
        signal,
        ...sent,
      });
      const headers = Object.fromEntries(answer.headers);
      return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
    },
  };
}

function undiciJudged(options: MockOptions): Judged {
  const mock = createWebhooksDispatcher(options);
  return {
    mock,
    forward: async (request, signal, taken) => {
      const { method = "", url = "", headers: given } = request;
      const length = given["content-length"];
      const hasBody = length !== undefined || given["transfer-encoding"] !== undefined;
      const answer = await undiciRequest(`${mock.baseUrl}${pathOf(url)}`, {
        method,
        headers: [...headersOf(request), ...(length === undefined ? [] : [["content-length", length]])].flat(),
        body: hasBody ? bodyOf(request, taken) : null,
        signal,
        dispatcher: mock.dispatcher,
      });
      return { status: answer.statusCode, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
    },
  };
}

/** The body as it arrives; undici reads from it once it has written the head. After an early answer the rest is drained. */
function bodyOf(request: IncomingMessage, taken: () => void): Readable {
  const body = new Readable({ read: taken });
  request.on("data", (piece) => void body.push(piece)).on("end", () => void body.push(null));
  return body;
}

async function front(forward: Forward, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let told = false;
  const taken = () => {
    // Node writes the head of a response that waits behind another one before the 100 that it was given first.
    if (request.headers.expect !== undefined && !told && response.socket !== null) response.writeContinue();
    told = true;
  };
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  request.on("error", () => undefined);
  try {
    const answer = await forward(request, gone.signal, taken);
    const headers = Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name));
    response.writeHead(answer.status, { ...Object.fromEntries(headers), "content-length": answer.body.length });
    response.end(answer.body);
  } catch {
    // The mocked client could not send the request, or got no answer; neither does the suite.
    response.destroy();
  }
}

/** A mock writes no log. */
const noLog = (): string[] => [];

/** The levers of the mock behind the suite's control calls. */
function controlOf(mock: WebhooksMock, routes: MockOptions["routes"]): Omit<ControlOptions, "port"> {
  const flows = {
    seed: ({ sessionKey, ...wanted }: { sessionKey: string }) => {
      const [route = ""] = Object.entries(routes).find(([, entry]) => entry.sessionKey === sessionKey) ?? [];
      return mock.seed({ route, ...wanted });
    },
    settle: (wanted: Parameters<WebhooksMock["settle"]>[0]) => {
      mock.settle(wanted);
      return {};
    },
    failPersistence: mock.failPersistence,
    failing: () => [],
  };
  const drivenClock = { advance: (ms: number) => mock.advance(ms) };
  return { flows, drivenClock, logs: noLog } as unknown as Omit<ControlOptions, "port">;
}

/** A mock that refuses its options is a target that refuses its configuration. */
const launchOfMock =
  (judgedOf: (options: MockOptions) => Judged): Launch =>
  async ({ configuration, configFile }) => {
    const env = environmentOf(configuration, { PATH: process.env["PATH"] });
    const document = checkDocument(configuration.document);
    const snapshot = await resolveSecrets(document, { configDir: dirname(configFile), env });
    const { enabled, config } = snapshot.document.plugins?.entries?.["webhooks"] ?? {};
    // A mock has no plugin entry to disable; its author would leave the mock out.
    const given = (enabled === false ? {} : (config?.["routes"] ?? {})) as MockOptions["routes"];
    // Nor would it be made without routes, which a mock refuses.
    const unserved = { none: { enabled: false, sessionKey: "none", secret: "none" } };
    const routes = Object.keys(given).length === 0 ? unserved : given;
    let judged: Judged;
    try {
      judged = judgedOf({ routes, clock: "driven" });
    } catch (error) {
      return refusedLaunch(messageOf(error));
    }
    const { mock, forward } = judged;
    const answer = (request: IncomingMessage, response: ServerResponse) => void front(forward, request, response);
    const server = createServer(answer).on("checkContinue", answer);
    // A mock has one client, so there is one address to call it from.
    server.on("connection", (socket: Socket) => socket.remoteAddress === CLIENT_ADDRESS || socket.destroy());
    const port = await listen(server, 0);
    const control = await startControl({ port: 0, ...controlOf(mock, routes) });
    return {
      origin: `http://127.0.0.1:${port}`,
      control: control.url,
      ending: undefined,
      stderrTail: "",
      stop: async () => void (await Promise.all([control.close(), closeServer(server)])),
    };
  };

/** A machine that stalls for less does not use up the time that a run has for missing answers. */
const REQUEST_TIMEOUT_MS = 20_000;

function target(name: string, launch: Launch): LaunchTarget {
  const fields = { name, profile: "reference", requestTimeoutMs: REQUEST_TIMEOUT_MS, start: IN_PROCESS };
  return { ...fields, launch };
}

/** What the mocks are compared with: the same plugin behind a socket. */
export const socketTarget = target("socket", launchOf({}));

export const mockTargets = {
  msw: target("msw", launchOfMock(mswJudged)),
  undici: target("undici", launchOfMock(undiciJudged)),
};
