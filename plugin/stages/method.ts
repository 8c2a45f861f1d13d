import { reject } from "../answer.ts";
import type { Stage } from "../contract.ts";

export const method: Stage = {
  name: "method",
  run: ({ request }) =>
    request.method === "POST" ? undefined : reject("method_not_allowed", { headers: { Allow: "POST" } }),
};
