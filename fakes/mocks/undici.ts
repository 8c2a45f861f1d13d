/** The mock for undici, whose own `fetch`, `request` and `stream` msw does not see. */
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { duplexPair, type Duplex } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import { CLIENT_ADDRESS } from "./memory-exchange.ts";
import { openMock, type MockOptions, type WebhooksMock } from "./mock.ts";

export type { Filter, MockOptions, MockRoute, SeedInput, WebhooksMock } from "./mock.ts";
export type { Outcome, OutcomeName, RawAnswer } from "./outcomes.ts";
export type { ReceivedBody, ReceivedRequest } from "./received.ts";

export interface WebhooksDispatcher extends WebhooksMock {
  /** For `request(url, { dispatcher })` or `setGlobalDispatcher`; other origins go to the network. */
  readonly dispatcher: Dispatcher;
  /** For `agent.compose(interceptor)` of an agent of your own; other origins go on to it. */
  readonly interceptor: Dispatcher.DispatcherComposeInterceptor;
}

/**
 * A gateway with the plugin in it, behind a dispatcher of undici 7. Both ends speak HTTP over in-memory connections, so
 * slow bodies, aborts and dropped connections behave as over a socket. Throws an error that says what is wrong with the
 * options.
 */
export function createWebhooksDispatcher(options: MockOptions): WebhooksDispatcher {
  const { mock, handle } = openMock(options);
  const { origin, pathname } = new URL(mock.baseUrl);
  const prefix = pathname.replace(/\/$/, "");
  // Never listens: connections are emitted on it.
  const server = createServer((request, response) => void handle(request, response));
  const memory = new Agent({
    connect: (_options, callback) => {
      const connection = memoryConnection(server);
      // Deferred: undici writes no request to a connection that it gets synchronously.
      queueMicrotask(() => callback(null, connection as Socket));
    },
  });
  const interceptor: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) => {
    if (new URL(String(request.origin)).origin !== origin || !request.path.startsWith(`${prefix}/`))
      return dispatch(request, handler);
    return memory.dispatch({ ...request, path: request.path.slice(prefix.length) }, handler);
  };
  return Object.assign(mock, { interceptor, dispatcher: new Agent().compose(interceptor) });
}

/** The client's end of an in-memory connection; the server has the other end. */
function memoryConnection(server: Server): Duplex {
  const [client, accepted] = duplexPair();
  // Destroying one end destroys the other, which duplexPair does not do by itself.
  client.on("close", () => accepted.destroy()).on("error", () => undefined);
  accepted.on("close", () => client.destroy()).on("error", () => undefined);
  server.emit("connection", Object.assign(accepted, { remoteAddress: CLIENT_ADDRESS }));
  return client;
}
