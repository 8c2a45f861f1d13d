/** Valid HTTP answers whose content attacks the code that reads, stores or prints it. */
import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants } from "node:zlib";
import { attacking, hostileRoutes, type Hostile, type OnRequest } from "./hostile.ts";

/** Colour, cursor, title and clipboard codes, C1 controls, changes of direction, line separators, a lone surrogate. */
export const ESCAPES =
  "\u001b[2J\u001b[31mred\u001b]0;title\u0007\u001b]52;c;AAAA\u0007\u009b2J\u009d\u0085\r\n\b\u007f\u202egnp.\u2066\u2028\u2029\u200b\ufeff\ud800";
type Body = string | Buffer;
const MEGABYTE = 1024 * 1024;
const BOMB_BYTES = 100 * MEGABYTE;
const headers = { "content-type": "application/json" };

/** Answers as soon as the head is there. An expensive body is made on first use. */
function reply(status: number, body: Body | (() => Body), more: Record<string, string> = {}): OnRequest {
  let made: Body | undefined;
  return (_request, response) => {
    made ??= typeof body === "function" ? body() : body;
    send(response, status, made, more);
  };
}

function send(response: ServerResponse, status: number, body: Body, more: Record<string, string> = {}) {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body), ...more }).end(body);
}

export const flow = { flowId: "flow-1", revision: 0, status: "queued", goal: "goal" };
const envelope = (result: unknown) => ({ ok: true, routeId: "lane-01", result });
export const accepted = (result: () => unknown): OnRequest => reply(200, () => JSON.stringify(envelope(result())));
/** An envelope whose result is raw text that no serializer would write. */
const raw = (result: () => string): OnRequest =>
  reply(200, () => `{"ok":true,"routeId":"lane-01","result":${result()}}`);
const fastest = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

export const content: readonly Hostile[] = [
  ...attacking(hostileRoutes, {
    "answers with 100,000 objects within each other": raw(() => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    "redirects to another host (of a network that is kept for documents)": reply(307, "", {
      location: "http://192.0.2.1:80/plugins/webhooks/probe",
    }),
    "answers with 100 MB of zeros, as brotli": reply(200, () => brotliCompressSync(Buffer.alloc(BOMB_BYTES), fastest), {
      "content-encoding": "br",
    }),
    "answers with bytes that are no UTF-8 in code, error and ids": reply(
      400,
      Buffer.from(
        '{"ok":false,"routeId":"\u00ff\u00fe","code":"\u00c3(","error":"\u00ed\u00a0\u0080","result":{}}',
        "latin1",
      ),
    ),
    "refuses everything with terminal codes in code, error and routeId": reply(
      401,
      JSON.stringify({ ok: false, routeId: ESCAPES, code: ESCAPES, error: ESCAPES.repeat(20), result: {} }),
    ),
    "answers with codes of the C1 range in header values": reply(400, "{}", {
      server: "\u009b2J\u009d0;title\u009c\u0085",
      "content-type": "text/\u009b31m",
    }),
    "refuses everything and writes terminal codes and a very long line to stderr for each request": (
      _request,
      response,
      log,
    ) => {
      log(`${ESCAPES}${"a".repeat(100_000)}${ESCAPES}`);
      send(response, 400, "{}");
    },
    "answers with status 999": reply(999, '{"ok":true,"result":{}}'),
  }),
  // Cases that expect acceptance may pass; the other routes work correctly.
  ...attacking(
    hostileRoutes,
    {
      "answers everything with a success that holds 50,000 flows": accepted(() => ({
        flows: Array.from({ length: 50_000 }, (_, index) => ({ ...flow, flowId: `flow-${index}` })),
      })),
      "accepts everything, with terminal codes in the flow's id, status and goal": accepted(() => ({
        flow: { ...flow, flowId: `f${ESCAPES}`, status: ESCAPES, goal: ESCAPES },
      })),
      "accepts everything, with an id of a megabyte and a revision beyond every integer": accepted(() => ({
        flow: { ...flow, flowId: "f".repeat(MEGABYTE), revision: 1e308 },
      })),
      "accepts everything, with results that name the prototype": raw(
        () => '{"__proto__":{"flowId":"f","revision":0},"constructor":{"prototype":{"ok":true}},"flow":null}',
      ),
      "accepts everything, with each field of another type": reply(
        200,
        '{"ok":true,"routeId":[],"result":[null,{"flowId":{},"revision":"1"}],"code":{},"error":1}',
      ),
    },
    { mayPass: ["ENVELOPE-HEAD-EMPTY", "NEVER-METADATA"] },
  ),
];
