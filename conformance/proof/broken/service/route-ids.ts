/** Sections 1 and 2: route ids and paths read otherwise than they are written. */
import type { HttpRoute } from "../../../../plugin/ports.ts";
import { withAnswer, withEntries, withEnvelope, perStart } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

type Entry = Record<string, unknown>;

const routesOf = (document: unknown): Record<string, Entry> =>
  (document as { plugins: { entries: { webhooks: { config: { routes: Record<string, Entry> } } } } }).plugins.entries
    .webhooks.config.routes;

export const routeIds: readonly Subject[] = subjectsOf<Subject>({
  "config-route-id-from-path": {
    bug: "routeId is the last part of the path.",
    kills: ["ENVELOPE-ROUTE-ID-CUSTOM-PATH"],
    change: withEnvelope((envelope, _status, { url = "" }) => ({
      ...envelope,
      routeId: url.replace(/\?.*$/, "").split("/").at(-1),
    })),
  },
  "config-route-id-lower-case": {
    bug: "Route ids are turned into lower case.",
    kills: ["ENVELOPE-ROUTE-ID-LETTERS"],
    change: withEnvelope((envelope) => ({ ...envelope, routeId: String(envelope["routeId"]).toLowerCase() })),
  },
  "config-route-id-inherited": {
    bug: "A route whose id every object has as a property is taken for one that is registered already.",
    kills: ["CONFIG-ROUTE-ID-SERVED"],
    change: withEntries((entry, id) => (id in {} ? undefined : entry)),
  },
  "config-description-realm": {
    bug: "A route's description is the realm of its challenge.",
    kills: ["CONFIG-DESCRIPTION-UNSEEN"],
    change: perStart(({ document }) =>
      withAnswer((answer, _request, route) => {
        const description = routesOf(document)[route]?.["description"];
        if (answer.code !== "unauthorized" || typeof description !== "string") return answer;
        return { ...answer, headers: { ...answer.headers, "WWW-Authenticate": `Bearer realm="${description}"` } };
      }),
    ),
  },
  "config-path-prefix": {
    bug: "A path serves everything below it: a route there that is configured later is never asked.",
    kills: ["CONFIG-PATH-NESTED"],
    change: {
      api: (api) => {
        const handlers = new Map<string, HttpRoute["handler"]>();
        return {
          ...api,
          registerHttpRoute: (route) => {
            const above = [...handlers].find(([path]) => route.path.startsWith(`${path}/`));
            const handler = above?.[1] ?? route.handler;
            handlers.set(route.path, handler);
            api.registerHttpRoute({ ...route, handler });
          },
        };
      },
    },
  },
  "envelope-route-id-number": {
    bug: "A routeId of digits comes back as a number.",
    kills: ["ENVELOPE-ROUTE-ID-DIGITS"],
    change: withEnvelope((envelope) => {
      const { routeId } = envelope;
      return /^\d+$/.test(String(routeId)) ? { ...envelope, routeId: Number(routeId) } : envelope;
    }),
  },
});
