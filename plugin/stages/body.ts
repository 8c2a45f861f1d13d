import { reject } from "../answer.ts";
import type { Stage } from "../contract.ts";

const close = { headers: { Connection: "close" } };

export const body: Stage = {
  name: "body",
  async run(exchange) {
    const { parts, clock } = exchange.context;
    const outcome = await parts.readBody(exchange.request, parts.limits, clock);
    if (outcome === "aborted") return outcome;
    if (outcome === "too-large") return reject("payload_too_large", close);
    if (outcome === "timeout") return reject("request_timeout", close);
    const object = parts.parseBody(outcome, parts.limits.jsonDepth);
    if (object === undefined) {
      const expected = `one JSON object in UTF-8, nested at most ${parts.limits.jsonDepth} deep, its numbers finite`;
      return reject("invalid_request", { error: `The body must be ${expected}.` });
    }
    exchange.body = object;
    return undefined;
  },
};
