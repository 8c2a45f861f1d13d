/** Section 1: secrets that are there and yet none, and paths below others. */
import type { HttpRoute } from "../../../../plugin/ports.ts";
import { alsoAuthenticates, both, withEntries } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const letsBlankIn = alsoAuthenticates(
  (_request, secret, presented = "") => secret === "blank" && presented.trim() === "",
);

export const badConfiguration: readonly Subject[] = subjectsOf<Subject>({
  "config-empty-secret": {
    bug: "A route whose secret is blank lets in whoever sends none.",
    kills: ["CONFIG-EMPTY-SECRET"],
    change: both(
      withEntries((entry) => (String(entry["secret"]).trim() === "" ? { ...entry, secret: "blank" } : entry)),
      letsBlankIn,
    ),
  },
  "config-empty-variable": {
    bug: "A secret whose variable is empty is an empty secret, which lets in whoever sends none.",
    kills: ["CONFIG-EMPTY-VARIABLE"],
    change: {
      api: (api, origin) => {
        const isEmpty = (secret: unknown) => origin.env[(secret as { id?: string } | undefined)?.id ?? ""] === "";
        const emptied = withEntries((entry) => (isEmpty(entry["secret"]) ? { ...entry, secret: "blank" } : entry));
        return emptied.api?.(api, origin) ?? api;
      },
      ...(letsBlankIn.parts && { parts: letsBlankIn.parts }),
    },
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
});
