/** Section 2: the response envelope gone wrong, and what else only an invariant sees. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Code } from "../../../../plugin/codes.ts";
import { withEnvelope, withRouteId, withReply, withStage, withHandler } from "../../changes.ts";
import { serverOf } from "../endpoints/framing.ts";
import { failing, failingEach, type Change, type Subject } from "../../subject.ts";

/** Codes whose rejection has one field wrong, or lacks it. */
export const spoilt: readonly (readonly [code: Code, field: string, value?: unknown])[] = [
  ["method_not_allowed", "ok"],
  ["unsupported_media_type", "error", { message: "Refused." }],
  ["rate_limited", "result"],
  ["too_many_in_flight", "ok", "false"],
  ["unauthorized", "code"],
  ["payload_too_large", "routeId"],
  ["request_timeout", "routeId"],
  ["invalid_request", "result", []],
  ["not_found", "code", 404],
  ["revision_conflict", "error"],
  ["persist_failed", "error"],
  ["not_managed", "routeId"],
  ["task_not_created", "result", null],
  ["terminal", "error", ""],
  ["cancel_requested", "error"],
  ["mutation_rejected", "routeId"],
];

/** Does something once an answer with this status is out. */
const afterwards = (status: number, act: (request: IncomingMessage) => unknown): Change =>
  withHandler((handler) => (request, response) => {
    response.once("finish", () => {
      if (response.statusCode === status) act(request);
    });
    return handler(request, response);
  });

/** As a process that ends: nothing listens any more. */
function stopListening({ socket }: IncomingMessage): void {
  const server = serverOf(socket);
  server.close();
  server.closeAllConnections();
}

export const envelope: readonly Subject[] = [
  ...failing({
    "REQUEST-RIGHT: The ok of a success is the text true": withEnvelope((envelope) => ({
      ...envelope,
      ok: envelope["ok"] === true ? "true" : false,
    })),
    "ALWAYS-ENVELOPE: A caller that accepts HTML gets its rejections as a page": withReply((reply, { headers }) =>
      reply.status >= 400 && headers.accept?.startsWith("text/html") === true
        ? { ...reply, headers: { "Content-Type": "text/html" }, text: "<h1>Refused</h1>" }
        : reply,
    ),
    "ENVELOPE-JSON-TYPE: The envelope is sent as text/html": withReply((reply) => ({
      ...reply,
      headers: { ...reply.headers, "Content-Type": "text/html" },
    })),
    "REQUEST-SECRET, ALWAYS-HTTP: The unread body of a refused request is answered as a request of its own": afterwards(
      401,
      ({ socket }) => socket.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"),
    ),
    "ALWAYS-UP: A body that is null is refused as it should be, and then the process ends: an exception in a callback":
      afterwards(400, (request) => request.headers["content-length"] === "4" && stopListening(request)),
    "BODY-TIME-EVERY-REQUEST: Ten seconds after a client left in the middle of its body the process ends": withStage(
      "body",
      async ({ context: { clock }, request }, right) => {
        const outcome = await right();
        if (outcome === "aborted") clock.setTimeout(() => stopListening(request), 10_000);
        return outcome;
      },
    ),
    "ALWAYS-STATED-STATUS: An unknown action gets 404, with the code of a malformed request": withReply((reply) =>
      reply.text.includes('"error":"action:') ? { ...reply, status: 404 } : reply,
    ),
    "ALWAYS-READABLE-ERROR: The error of a stale revision is an object that was put into a text": withEnvelope(
      (envelope) =>
        envelope["code"] === "revision_conflict" ? { ...envelope, error: "Conflict: [object Object]" } : envelope,
    ),
    "ALWAYS-READABLE-ERROR: The error of a flow that is not there is the text undefined": withEnvelope((envelope) =>
      envelope["code"] === "not_found" ? { ...envelope, error: "undefined" } : envelope,
    ),
    "ALWAYS-READABLE-ERROR: The error of a wrong secret is its status": withEnvelope((envelope, status) =>
      status === 401 ? { ...envelope, error: String(status) } : envelope,
    ),
    "ALWAYS-HTTP: 404 has two Content-Lengths: one in bytes, one in characters": withReply((reply) =>
      reply.status === 404 ? { ...reply, headers: { ...reply.headers, "Content-Length": 7 } } : reply,
    ),
    "ALWAYS-ENVELOPE: An action that is a name of every object ends in an internal error without an envelope":
      withStage("action", ({ body = {}, response }, right) => {
        const { action } = body;
        if (typeof action !== "string" || !(action in {})) return right();
        response.writeHead(500, { "Content-Type": "text/plain" }).end("Internal Server Error");
        return "aborted";
      }),
    "ALWAYS-ENVELOPE: Each answer begins with a byte order mark, as a source file of it does": withReply((reply) => ({
      ...reply,
      text: `\ufeff${reply.text}`,
    })),
    "ALWAYS-ENVELOPE: The text of an error ends with a byte that is no UTF-8": withHandler(
      (handler) => (request, response) => {
        const end = response.end.bind(response) as (bytes: Uint8Array) => ServerResponse;
        response.end = ((text = "") =>
          end(Buffer.from(String(text).replace('."', '\xff"'), "latin1"))) as typeof response.end;
        return handler(request, response);
      },
    ),
    "ALWAYS-ENVELOPE: A rejection says `ok` twice: true, and then false": withReply((reply) =>
      reply.status >= 400 ? { ...reply, text: reply.text.replace("{", '{"ok":true,') } : reply,
    ),
    "ALWAYS-ENVELOPE: A success has no routeId": withEnvelope(({ routeId, ...envelope }) =>
      envelope["ok"] === true ? envelope : { ...envelope, routeId },
    ),
    "ALWAYS-ENVELOPE: routeId names the first route that is bound to the session, not the one that was asked":
      withRouteId((id) => id.replace(/-sibling$/, "")),
    "ALWAYS-ENVELOPE: The result of list_flows is the list itself": withEnvelope((envelope) => {
      const { result } = envelope as { result: { flows?: unknown } };
      return Array.isArray(result?.flows) ? { ...envelope, result: result.flows } : envelope;
    }),
    "ALWAYS-ENVELOPE: The 401 of a route whose secret could not be resolved is bare text": withReply(
      (reply, { url = "" }) =>
        reply.status === 401 && url.endsWith("/cold") ? { ...reply, text: "Unauthorized" } : reply,
    ),
    "ALWAYS-ENVELOPE, CREATE-FLOW-FIELDS: The fields of a success's result stand in the envelope itself": withEnvelope(
      ({ result, ...envelope }) =>
        envelope["ok"] === true ? { ...envelope, ...(result as object) } : { ...envelope, result },
    ),
  }),
  ...failingEach(spoilt, ([code, field, value]) => [
    `ALWAYS-ENVELOPE: A rejection with the code ${code} has ${value === undefined ? "no" : `${JSON.stringify(value)} as`} ${field}`,
    withEnvelope((envelope) => (envelope["code"] === code ? { ...envelope, [field]: value } : envelope)),
  ]),
];
