/** Sections 1 and 2: route ids and paths read otherwise than they are written. */
import type { HttpRoute } from "../../../../plugin/ports.ts";
import { withAnswer, withEntries, withEnvelope, perStart } from "../../changes.ts";
import { failing, type Subject } from "../../subject.ts";

type Entry = Record<string, unknown>;

const routesOf = (document: unknown): Record<string, Entry> =>
  (document as { plugins: { entries: { webhooks: { config: { routes: Record<string, Entry> } } } } }).plugins.entries
    .webhooks.config.routes;

export const routeIds: readonly Subject[] = [
  ...failing("REQUEST-RIGHT", {
    "routeId is the last part of the path": withEnvelope((envelope, _status, { url = "" }) => ({
      ...envelope,
      routeId: url.replace(/\?.*$/, "").split("/").at(-1),
    })),
  }),
  ...failing("REQUEST-RIGHT", {
    "Route ids are turned into lower case": withEnvelope((envelope) => ({
      ...envelope,
      routeId: String(envelope["routeId"]).toLowerCase(),
    })),
  }),
  ...failing("CONFIG-ROUTE-ID-SERVED", {
    "A route whose id every object has as a property is taken for one that is registered already": withEntries(
      (entry, id) => (id in {} ? undefined : entry),
    ),
  }),
  ...failing("CONFIG-DESCRIPTION-UNSEEN", {
    "A route's description is the realm of its challenge": perStart(({ document }) =>
      withAnswer((answer, _request, route) => {
        const description = routesOf(document)[route]?.["description"];
        if (answer.code !== "unauthorized" || typeof description !== "string") return answer;
        return { ...answer, headers: { ...answer.headers, "WWW-Authenticate": `Bearer realm="${description}"` } };
      }),
    ),
  }),
  ...failing("CONFIG-PATH-NESTED", {
    "A path serves everything below it: a route there that is configured later is never asked": {
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
  }),
  ...failing("ENVELOPE-ROUTE-ID-DIGITS", {
    "A routeId of digits comes back as a number": withEnvelope((envelope) => {
      const { routeId } = envelope;
      return /^\d+$/.test(String(routeId)) ? { ...envelope, routeId: Number(routeId) } : envelope;
    }),
  }),
];
