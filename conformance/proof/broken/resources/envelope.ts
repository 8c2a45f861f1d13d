/** Section 2: the response envelope gone wrong. */
import type { Code } from "../../../../plugin/codes.ts";
import { withEnvelope, withReply, withStage, type Reply, withHandler, both } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const kills = ["ALWAYS-ENVELOPE"];

/** Codes whose rejection has one field wrong, or lacks it, and the case that brings it about where few do. */
const spoilt: readonly (readonly [id: string, code: Code, field: string, value?: unknown, beside?: string])[] = [
  ["method", "method_not_allowed", "ok"],
  ["content-type", "unsupported_media_type", "error", { message: "Refused." }],
  ["rate", "rate_limited", "result", undefined, "GAP-REFUSED-RATE"],
  ["in-flight", "too_many_in_flight", "ok", "false", "GAP-REFUSED-IN-FLIGHT"],
  ["auth", "unauthorized", "code"],
  ["too-large", "payload_too_large", "routeId"],
  ["timeout", "request_timeout", "routeId", undefined, "GAP-REFUSED-TIMEOUT"],
  ["invalid", "invalid_request", "result", []],
  ["not-found", "not_found", "code", 404],
  ["conflict", "revision_conflict", "error"],
  ["not-stored", "persist_failed", "error", undefined, "GAP-NOT-STORED-FINISH-FLOW"],
  ["not-managed", "not_managed", "routeId"],
  ["foreign-child", "task_not_created", "result", null],
  ["ended", "terminal", "error", ""],
  ["cancel-requested", "cancel_requested", "error"],
  ["not-waiting", "mutation_rejected", "routeId"],
];

const spoiltByCode: readonly Subject[] = spoilt.map(([id, code, field, value, beside]) => ({
  id: `envelope-of-${id}`,
  bug: `A rejection with the code ${code} has ${value === undefined ? "no" : `${JSON.stringify(value)} as`} ${field}.`,
  kills,
  ...(beside !== undefined && { beside: [beside] }),
  change: withEnvelope((envelope) => (envelope["code"] === code ? { ...envelope, [field]: value } : envelope)),
}));

/** A caller that accepts HTML gets such replies as a page. */
const asPage = (what: string, isPage: (reply: Reply) => boolean) => ({
  bug: `A caller that accepts HTML gets its ${what} as a page.`,
  kills,
  change: withReply((reply, { headers }) =>
    isPage(reply) && headers.accept?.startsWith("text/html") === true
      ? { ...reply, headers: { "Content-Type": "text/html" }, text: "<h1>Answered</h1>" }
      : reply,
  ),
});

/** Rejections of such requests are bare text, as after a crash of the handler. */
const bareWhere = (isOdd: (body: Record<string, unknown>) => boolean): Change => {
  const odd = new WeakSet<object>();
  return both(
    withStage("action", ({ run }) => (exchange) => {
      if (isOdd(exchange.body ?? {})) odd.add(exchange.request);
      return run(exchange);
    }),
    withReply((reply, request) =>
      odd.has(request) && reply.status >= 400
        ? { status: 500, headers: { "Content-Type": "text/plain" }, text: "Internal Server Error" }
        : reply,
    ),
  );
};

export const envelope: readonly Subject[] = [
  ...spoiltByCode,
  ...subjectsOf<Subject>({
    "envelope-bare-no-action": {
      bug: "An action that is a name of every object ends in an internal error without an envelope.",
      kills,
      change: bareWhere(({ action }) => typeof action === "string" && action in {}),
    },
    "envelope-says-twice": {
      bug: "A rejection says `ok` twice: true, and then false.",
      kills,
      change: withReply((reply) =>
        reply.status >= 400 ? { ...reply, text: reply.text.replace("{", '{"ok":true,') } : reply,
      ),
    },
    "envelope-bare-wrong-type": {
      bug: "A goal that is a number ends in an internal error without an envelope.",
      kills,
      change: bareWhere(({ goal }) => typeof goal === "number"),
    },
    "envelope-no-route-id": {
      bug: "A success has no routeId.",
      kills,
      change: withEnvelope(({ routeId, ...envelope }) =>
        envelope["ok"] === true ? envelope : { ...envelope, routeId },
      ),
    },
    "envelope-no-result": {
      bug: "The fields of a success's result stand in the envelope itself.",
      kills: [...kills, "CREATE-FLOW-FIELDS"],
      change: withEnvelope(({ result, ...envelope }) =>
        envelope["ok"] === true ? { ...envelope, ...(result as object) } : { ...envelope, result },
      ),
    },
    "envelope-ok-text": {
      bug: "The ok of a success is the text true.",
      kills: ["REQUEST-RIGHT"],
      change: withEnvelope((envelope) => ({ ...envelope, ok: envelope["ok"] === true ? "true" : false })),
    },
    "envelope-session-route-id": {
      bug: "routeId names the first route that is bound to the session, not the one that was asked.",
      kills,
      change: withEnvelope((envelope) => ({
        ...envelope,
        routeId: String(envelope["routeId"]).replace(/-sibling$/, ""),
      })),
    },
    "envelope-html-wanted": asPage("rejections", ({ status }) => status >= 400),
    "envelope-html-success": asPage("results", ({ status }) => status < 400),
    "envelope-text-type": {
      bug: "The envelope is sent as text/html.",
      kills: ["ENVELOPE-JSON-TYPE"],
      change: withReply((reply) => ({ ...reply, headers: { ...reply.headers, "Content-Type": "text/html" } })),
    },
    "connection-second-answer": {
      bug: "The unread body of a refused request is answered as a request of its own.",
      kills: ["ENVELOPE-PIPELINED"],
      change: withHandler((handler) => async (request, response) => {
        const { socket } = request;
        response.once("finish", () => {
          if (response.statusCode !== 401) return;
          socket.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        });
        return handler(request, response);
      }),
    },
    "envelope-list-result": {
      bug: "The result of list_flows is the list itself.",
      kills,
      change: withEnvelope((envelope) => {
        const { result } = envelope as { result: { flows?: unknown } };
        return Array.isArray(result?.flows) ? { ...envelope, result: result.flows } : envelope;
      }),
    },
    "envelope-bare-cold": {
      bug: "The 401 of a route whose secret could not be resolved is bare text.",
      kills,
      change: withReply((reply, { url = "" }) =>
        reply.status === 401 && url.endsWith("/cold") ? { ...reply, text: "Unauthorized" } : reply,
      ),
    },
  }),
];
