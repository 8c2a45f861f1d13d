/** A route that lets in whoever has the secret of a route that it takes for itself. */
import type { Route } from "../../plugin/config.ts";
import type { Change } from "./subject.ts";

/** `counts`: whether the secret of `other` lets in at `route`, besides the route's own. */
export const acceptsSecretsOf = (counts: (other: Route, route: Route) => boolean): Change => ({
  parts: (parts) => {
    const read: Route[] = [];
    return {
      ...parts,
      readRoutes: (config) => {
        const routes = parts.readRoutes(config);
        read.push(...routes);
        return routes;
      },
      stages: parts.stages.map((stage) => {
        if (stage.name !== "authentication") return stage;
        const run: typeof stage.run = (exchange) => {
          const { product, route } = exchange.context;
          const presented = parts.presentedSecret(exchange.request.headers, product);
          const fits = read.some((other) => counts(other, route) && parts.createSecretCheck(other.secret)(presented));
          return fits ? undefined : stage.run(exchange);
        };
        return { name: stage.name, run };
      }),
    };
  },
});
