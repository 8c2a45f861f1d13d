import { reject } from "../answer.ts";
import type { Stage } from "../contract.ts";

/** One answer for every cause: a caller must not learn whether a route is inactive or the secret wrong. */
export const authentication: Stage = {
  name: "authentication",
  run({ context, request }) {
    const presented = context.parts.presentedSecret(request.headers, context.product);
    if (context.secretMatches(presented)) return undefined;
    return reject("unauthorized", { headers: { "WWW-Authenticate": "Bearer" } });
  },
};
