/** A subject without gateway and sockets: its handlers are called directly. */
import { canaries } from "../../fakes/managed-flows.ts";
import type { GatewayApi, HttpRoute } from "../../plugin/ports.ts";
import type { DirectFactory } from "../properties/play/direct-executor.ts";
import type { Handler } from "../targets/handler.ts";
import { assembled } from "./start.ts";
import type { Change } from "./subject.ts";

/** Makes a new changed plugin for each story, with its own runtime and driven clock. */
export function directSubject(change: Change): DirectFactory {
  return async ({ document: given, env, stateDir }) => {
    const subject = assembled({ change, document: { ...given }, configDir: stateDir, env, log: unheard });
    const { plugin, drivenClock, levers } = subject;
    const routes = new Map<string, HttpRoute>();
    await plugin.register(apiOf(subject.document, routes));
    const handler: Handler = async (request, response) => {
      const route = routes.get(request.url ?? "");
      return route === undefined ? false : route.handler(request, response);
    };
    return {
      handler,
      levers: {
        canaries,
        advance: (ms) => drivenClock.advance(ms),
        settle: (flowId, taskId, status) => levers.settle({ flowId, taskId, status: status as "succeeded" }),
        persistence: (fail) => levers.failPersistence(fail),
      },
    };
  };
}

function unheard(): void {}

function apiOf(document: object, routes: Map<string, HttpRoute>): GatewayApi {
  const { plugins } = document as { plugins: { entries: { webhooks: { config: Record<string, unknown> } } } };
  const api = {
    id: "webhooks",
    config: document,
    pluginConfig: plugins.entries.webhooks.config,
    logger: {},
    registerHttpRoute: (route: HttpRoute) => void routes.set(route.path, route),
  };
  return api as unknown as GatewayApi;
}
