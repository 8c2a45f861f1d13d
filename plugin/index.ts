/**
 * The webhooks plugin. A request's way: the handler registered here -> pipeline.ts -> stages.ts, each check in order -> the
 * action, from the table in actions/index.ts -> views.ts, what a response may show -> respond.ts, the one writer.
 */
import { systemClock } from "./clock.ts";
import { isDisabled } from "./config.ts";
import type { Parts } from "./contract.ts";
import { createHandler } from "./pipeline.ts";
import type { Clock, GatewayPlugin } from "./ports.ts";
import { standardParts } from "./standard-parts.ts";

export { standardParts } from "./standard-parts.ts";
export type { Parts } from "./contract.ts";
export type { GatewayApi, GatewayPlugin } from "./ports.ts";

export interface PluginPorts {
  /** Default: the process's own clock. */
  readonly clock?: Clock;
  /** The product named in the header `x-<product>-webhook-secret`. Default: `service`. */
  readonly product?: string;
}

/** The plugin as a gateway loads it. Each `register` starts with limiters of its own. */
export function createWebhooksPlugin(ports: PluginPorts = {}, parts: Parts = standardParts): GatewayPlugin {
  const { clock = systemClock, product = "service" } = ports;
  return {
    id: "webhooks",
    name: "Webhooks",
    description: "Authenticated POST routes that create and drive the managed TaskFlows of one session each.",
    register(api) {
      if (isDisabled(api.config, api.id)) return;
      const routes = parts.readRoutes(api.pluginConfig);
      const { config: cfg, logger } = api;
      const shared = {
        parts,
        clock,
        product: product.toLowerCase(),
        cfg,
        logger,
        rateLimiter: parts.createRateLimiter(parts.limits, clock),
        inFlightLimiter: parts.createInFlightLimiter(parts.limits),
      };
      for (const route of routes) {
        if (typeof route.secret !== "string") {
          logger.warn?.(`webhooks: route ${JSON.stringify(route.id)} is inactive: its secret could not be resolved`);
        }
        const flows = api.runtime.tasks.managedFlows.bindSession({ sessionKey: route.sessionKey });
        const handler = createHandler({
          ...shared,
          route,
          flows,
          secretMatches: parts.createSecretCheck(route.secret),
        });
        api.registerHttpRoute({ path: route.path, auth: "plugin", match: "exact", replaceExisting: true, handler });
      }
    },
  };
}

export default createWebhooksPlugin();
