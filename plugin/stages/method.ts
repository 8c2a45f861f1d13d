import { reject } from "../answer.ts";
import type { Stage } from "../exchange.ts";

export const method: Stage = {
  name: "method",
  run: ({ request }) =>
    request.method === "POST" ? undefined : reject("method_not_allowed", { headers: { Allow: "POST" } }),
};
