/** Sections 1 and 2: route ids and paths read otherwise than they are written. */
import type { HttpRoute } from "../../../../plugin/ports.ts";
import { perStart, routesIn, withAnswer, withEntries, withEnvelope, withHandler } from "../../changes.ts";
import { failing, type Subject } from "../../subject.ts";

export const routeIds: readonly Subject[] = [
  ...failing("REQUEST-RIGHT", {
    "routeId is the last part of the path": withEnvelope((envelope, _status, { url = "" }) => ({
      ...envelope,
      routeId: url.replace(/\?.*$/, "").split("/").at(-1),
    })),
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
        const description = routesIn(document)[route]?.["description"];
        if (answer.code !== "unauthorized" || typeof description !== "string") return answer;
        return { ...answer, headers: { ...answer.headers, "WWW-Authenticate": `Bearer realm="${description}"` } };
      }),
    ),
  }),
  ...failing("CONFIG-PATH-NESTED", {
    "A path serves everything below it: a route there that is configured later is never asked": perStart(() => {
      const handlers = new Map<string, HttpRoute["handler"]>();
      return withHandler((own, { path }) => {
        const [, above] = [...handlers].find(([other]) => path.startsWith(`${other}/`)) ?? [];
        handlers.set(path, above ?? own);
        return above ?? own;
      });
    }),
  }),
  ...failing("ENVELOPE-ROUTE-ID-DIGITS", {
    "A routeId of digits comes back as a number": withEnvelope((envelope) => {
      const { routeId } = envelope;
      return /^\d+$/.test(String(routeId)) ? { ...envelope, routeId: Number(routeId) } : envelope;
    }),
  }),
];
