/** Section 2: the response envelope gone wrong. */
import type { Code } from "../../../../plugin/codes.ts";
import { withEnvelope, withReply, withStage, type Reply, withHandler, both } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const kills = ["ALWAYS-ENVELOPE"];

/** Undefined for the answer to HEAD, which has no body. */
const codeOf = ({ text }: Reply): unknown => (text === "" ? undefined : (JSON.parse(text) as { code?: unknown }).code);

/** Rejections with this code are bare text. */
const bare = (id: string, code: Code, what: string, ...beside: string[]): Subject => ({
  id: `envelope-bare-${id}`,
  bug: `A rejection for ${what} is bare text.`,
  kills,
  ...(beside.length > 0 && { beside }),
  change: withReply((reply) =>
    codeOf(reply) === code ? { ...reply, headers: { "Content-Type": "text/plain" }, text: "Rejected" } : reply,
  ),
});

/** Every rejection, or every success, lacks a field or has it wrong. */
const field = (bug: string, ok: boolean, change: (envelope: Record<string, unknown>) => unknown) => ({
  bug,
  kills,
  change: withEnvelope((envelope) => (envelope["ok"] === ok ? change(envelope) : envelope)),
});

function without(envelope: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _removed, ...rest } = envelope;
  return rest;
}

/** Rejections with this code lack a field or have it wrong. */
const spoilt = (
  id: string,
  bug: string,
  code: Code,
  change: (envelope: Record<string, unknown>) => unknown,
  ...beside: string[]
): Subject => ({
  id: `envelope-of-${id}`,
  bug,
  kills,
  ...(beside.length > 0 && { beside }),
  change: withEnvelope((envelope) => (envelope["code"] === code ? change(envelope) : envelope)),
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
  }),
  spoilt(
    "not-stored",
    "A rejection for what cannot be stored has no error.",
    "persist_failed",
    (envelope) => without(envelope, "error"),
    "GAP-NOT-STORED-FINISH-FLOW",
  ),
  spoilt("not-managed", "A rejection for a flow that is not managed has no routeId.", "not_managed", (envelope) =>
    without(envelope, "routeId"),
  ),
  spoilt("foreign-child", "A rejection for a foreign child has null as result.", "task_not_created", (envelope) => ({
    ...envelope,
    result: null,
  })),
  spoilt("ended", "A rejection for a flow that has ended has an empty error.", "terminal", (envelope) => ({
    ...envelope,
    error: "",
  })),
  spoilt("cancel-requested", "A rejection for a requested cancellation has no error.", "cancel_requested", (envelope) =>
    without(envelope, "error"),
  ),
  spoilt("not-waiting", "A rejection by the flow's state has no routeId.", "mutation_rejected", (envelope) =>
    without(envelope, "routeId"),
  ),
  bare("method", "method_not_allowed", "another method"),
  bare("content-type", "unsupported_media_type", "another content type"),
  bare("rate", "rate_limited", "the rate limit", "GAP-REFUSED-RATE"),
  bare("in-flight", "too_many_in_flight", "the in-flight limit", "GAP-REFUSED-IN-FLIGHT"),
  bare("auth", "unauthorized", "a wrong secret"),
  bare("too-large", "payload_too_large", "a body that is too large"),
  bare("timeout", "request_timeout", "a body that is too slow", "GAP-REFUSED-TIMEOUT"),
  bare("not-found", "not_found", "an absent flow"),
  bare("conflict", "revision_conflict", "a stale revision"),
  ...subjectsOf<Subject>({
    "envelope-bare-invalid": {
      bug: "400 invalid_request is JSON with code and error only.",
      kills,
      change: withEnvelope((envelope) => {
        const { code, error } = envelope;
        return code === "invalid_request" ? { code, error } : envelope;
      }),
    },
    "envelope-no-ok": field("A rejection has no ok.", false, (envelope) => without(envelope, "ok")),
    "envelope-no-code": field("A rejection has no code.", false, (envelope) => without(envelope, "code")),
    "envelope-no-error": field("A rejection has no error.", false, (envelope) => without(envelope, "error")),
    "envelope-blank-error": field("A rejection's error is an empty text.", false, (envelope) => ({
      ...envelope,
      error: "",
    })),
    "envelope-error-object": field("A rejection's error is an object.", false, (envelope) => ({
      ...envelope,
      error: { message: envelope["error"] },
    })),
    "envelope-null-result": field("A rejection's result is null.", false, (envelope) => ({
      ...envelope,
      result: null,
    })),
    "envelope-no-route-id": field("A success has no routeId.", true, (envelope) => without(envelope, "routeId")),
    "envelope-no-result": {
      bug: "The fields of a success's result stand in the envelope itself.",
      kills: [...kills, "CREATE-FLOW-FIELDS"],
      change: withEnvelope(({ result, ...envelope }) =>
        envelope["ok"] === true ? { ...envelope, ...(result as object) } : { ...envelope, result },
      ),
    },
    "envelope-result-list": field("A success's result is a list.", true, (envelope) => ({
      ...envelope,
      result: [envelope["result"]],
    })),
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
    "envelope-html-wanted": {
      bug: "A caller that accepts HTML gets its rejections as a page.",
      kills,
      change: withReply((reply, { headers }) =>
        reply.status >= 400 && headers.accept?.startsWith("text/html") === true
          ? { ...reply, headers: { "Content-Type": "text/html" }, text: "<h1>Rejected</h1>" }
          : reply,
      ),
    },
    "envelope-html-success": {
      bug: "A caller that accepts HTML gets its results as a page.",
      kills,
      change: withReply((reply, { headers }) =>
        reply.status < 400 && headers.accept?.startsWith("text/html") === true
          ? { ...reply, headers: { "Content-Type": "text/html" }, text: "<h1>Done</h1>" }
          : reply,
      ),
    },
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
