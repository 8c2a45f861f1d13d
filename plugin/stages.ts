/** The seven checks and steps that a request passes, each answering by itself when the request may not go on. */
import { invalidFields } from "./actions/action.ts";
import { reject } from "./answer.ts";
import { onConnectionClose } from "./connection.ts";
import type { BodyOutcome } from "./body.ts";
import type { Exchange, Stage, StageOutcome } from "./contract.ts";

const method: Stage = {
  name: "method",
  run: ({ request }) =>
    request.method === "POST" ? undefined : reject("method_not_allowed", { headers: { Allow: "POST" } }),
};

/** `application/json` in any case, with or without parameters; no other type, whatever its suffix. */
const contentType: Stage = {
  name: "content-type",
  run({ request }) {
    const [type] = (request.headers["content-type"] ?? "").split(";", 1);
    return type?.trim().toLowerCase() === "application/json" ? undefined : reject("unsupported_media_type");
  },
};

const rateLimit: Stage = {
  name: "rate-limit",
  run({ context, request }) {
    const waitMs = context.rateLimiter.take(context.parts.clientKey(context.route, request));
    if (waitMs === 0) return undefined;
    return reject("rate_limited", { headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) } });
  },
};

/** Takes a slot until the response finishes or the connection closes, whichever comes first. */
const inFlight: Stage = {
  name: "in-flight",
  run(exchange) {
    const { context, request, response } = exchange;
    const free = context.inFlightLimiter.take(context.parts.clientKey(context.route, request));
    if (free === undefined) return reject("too_many_in_flight");
    const release = (): void => {
      free();
      cancelWatch();
    };
    const cancelWatch = onConnectionClose(request, free);
    response.on("finish", release);
    exchange.releaseSlot = release;
    return undefined;
  },
};

/** One answer for every cause: a caller must not learn whether the route is inactive or the secret wrong. */
const authentication: Stage = {
  name: "authentication",
  run({ context, request }) {
    const presented = context.parts.presentedSecret(request.headers, context.product);
    if (context.secretMatches(presented)) return undefined;
    return reject("unauthorized", { headers: { "WWW-Authenticate": "Bearer" } });
  },
};

const close = { headers: { Connection: "close" } };

const body: Stage = {
  name: "body",
  run(exchange) {
    const { parts, clock } = exchange.context;
    const read = parts.readBody(exchange.request, parts.limits, clock);
    return read instanceof Promise ? read.then((outcome) => takeBody(exchange, outcome)) : takeBody(exchange, read);
  },
};

function takeBody(exchange: Exchange, outcome: BodyOutcome): StageOutcome {
  const { parts } = exchange.context;
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
}

const action: Stage = {
  name: "action",
  run({ context, body = {} }) {
    const { action: name, ...fields } = body;
    const found = context.parts.actions.find((entry) => entry.name === name);
    if (found === undefined) {
      const names = context.parts.actions.map((entry) => entry.name).join(", ");
      return reject("invalid_request", { error: `action: expected one of ${names}.` });
    }
    const parsed = found.schema.safeParse(fields);
    if (!parsed.success) return reject("invalid_request", { error: invalidFields(found, parsed.error.issues) });
    return found.run(parsed.data, context);
  },
};

/** In the order of section 4: a request that fails one check never reaches the later ones. */
export const stages: readonly Stage[] = [method, contentType, rateLimit, inFlight, authentication, body, action];
