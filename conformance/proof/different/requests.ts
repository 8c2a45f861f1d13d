/** Freedoms in requests: odd ones, and the fields that an action needs, does not take, or calls by another name. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { accept, reject } from "../../../plugin/answer.ts";
import { hasArrived } from "../../../plugin/body.ts";
import type { Code } from "../../../plugin/codes.ts";
import type { JsonObject } from "../../../plugin/json.ts";
import type { Json } from "../../../plugin/ports.ts";
import { coldRefusal } from "../broken/authentication/secrets.ts";
import { rereads, isDeep } from "../broken/endpoints/body.ts";
import { encodesIds } from "../broken/service/configuration.ts";
import { readAlone } from "../broken/service/bad-configuration.ts";
import { tried, withStage, together, withLimits, withPart, withReply, withRequest } from "../changes.ts";
import { productHeader } from "../lets-in.ts";
import { lawful, mayWarn, type Change, type Different } from "../subject.ts";

type Fits = (body: JsonObject) => boolean;

const isObjectOrAbsent = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
const namesChild: Fits = (body) => typeof body["childSessionKey"] === "string";

/** Between the head of such a refusal and its content, ms. */
const TICK_MS = 5;

/**
 * A refusal while the body is still owed goes out as its head and, a tick later, its content; then the connection is
 * closed with the rest of the request unread, so the system resets it. The answer was whole by then.
 */
const inTwoChunks = withPart("writeAnswer", (writeAnswer) => (request, response, routeId, answer, wording) => {
  if (hasArrived(request)) return writeAnswer(request, response, routeId, answer, wording);
  const content: string[] = [];
  const stand = {
    writeHead: (status: number, headers: Record<string, string | number>) =>
      response.writeHead(status, { ...headers, connection: "close" }).flushHeaders(),
    write: (text: string) => void content.push(text),
    end: (text: string) => void content.push(text),
    flushHeaders: () => {},
  };
  writeAnswer(request, stand as unknown as ServerResponse, routeId, answer, wording);
  // Nothing reads on: the pipeline would drain the request, and end the response with it.
  const end = response.end.bind(response);
  response.end = () => response;
  request.resume = () => request;
  request.pause();
  void sleep(TICK_MS).then(() => end(content.join(""), () => request.socket.destroy()));
});

/** An action is refused unless its fields are like this. */
const insists = (action: string, fits: Fits, code: Code = "invalid_request"): Change =>
  withStage("action", (exchange, right) => {
    const { body = {} } = exchange;
    return body["action"] === action && !fits(body) ? reject(code) : right();
  });

/** An action takes its id under another name. */
const renamed = (action: string, from: string, to: string): Change =>
  withStage("action", (exchange, right) => {
    const { body = {} } = exchange;
    if (body["action"] !== action) return right();
    if (from in body || !(to in body)) return reject("invalid_request");
    const { [to]: value, ...rest } = body;
    return right({ ...exchange, body: { ...rest, [from]: value as Json } });
  });

const names = [
  ["get_flow", "flowId", "id"],
  ["get_task_summary", "flowId", "id"],
  ["cancel_flow", "flowId", "id"],
  ["resolve_flow", "token", "ref"],
] as const;

const MAX_BYTES = 262_144;

/** State so deep that no recursive serializer can write it. */
const DEEP = "nested deeply";
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

export const requests: readonly Different[] = [
  ...lawful({
    "the fields of cancel_flow: it needs an expectedRevision": insists(
      "cancel_flow",
      (body) => "expectedRevision" in body,
    ),
    "the answer to a cancel_flow without the expectedRevision that it needs: a conflict": insists(
      "cancel_flow",
      (body) => "expectedRevision" in body,
      "revision_conflict",
    ),
    "the fields of cancel_flow: an expectedRevision is refused as one that it does not have": insists(
      "cancel_flow",
      (body) => !("expectedRevision" in body),
    ),
    "the names of state and wait data": insists(
      "set_waiting",
      (body) => !("stateJson" in body || "waitJson" in body || "blockedSummary" in body),
    ),
    "the form of state and wait data: objects": insists("set_waiting", (body) =>
      [body["stateJson"], body["waitJson"]].every(isObjectOrAbsent),
    ),
    "run_task takes no status but running": insists("run_task", ({ status = "running" }) => status === "running"),
    "run_task has to name the child's session": insists("run_task", namesChild),
    "the answer to a run_task without the childSessionKey that it needs: no such session": insists(
      "run_task",
      (body) => "childSessionKey" in body,
      "not_found",
    ),
    "run_task needs a childSessionKey for the runtime acp only": insists(
      "run_task",
      (body) => body["runtime"] !== "acp" || namesChild(body),
    ),
    "run_task takes no childSessionKey that it does not know": insists(
      "run_task",
      (body) => body["childSessionKey"] === undefined,
    ),
    "which characters a goal may have: none that control a line": insists(
      "create_flow",
      ({ goal }) => typeof goal !== "string" || !/\p{Cc}/u.test(goal),
    ),
  }),
  ...lawful({
    "by the reference profile, too, run_task has to name the child's session": insists("run_task", namesChild),
  }).map((subject) => ({ ...subject, profile: "reference" as const })),
  ...mayWarn("ACTION-NAME-EXACT", {
    "an unknown action is accepted and does nothing; one that is no text is request_rejected": withStage(
      "action",
      (exchange, right) => {
        const { action = "" } = exchange.body ?? {};
        if (typeof action !== "string") return reject("request_rejected");
        const isKnown = exchange.context.parts.actions.some(({ name }) => name === action);
        return isKnown || action === "" ? right() : accept({});
      },
    ),
  }),
  ...names.flatMap(([action, from, to]) =>
    lawful({ [`the field of ${action} that is called ${from}: ${to}`]: renamed(action, from, to) }),
  ),
  ...lawful({
    "cancel_flow takes no notice of an expectedRevision: the interface shows no such field of it": withRequest(
      (body) => {
        const { expectedRevision: _revision, ...others } = body;
        return body["action"] === "cancel_flow" ? others : body;
      },
    ),
    "every request to a route without its secret gets the 401, also one that is no POST or has another type": together(
      coldRefusal(() => reject("unauthorized"), "method"),
      coldRefusal(() => reject("unauthorized"), "content-type"),
    ),
    "a request with a secret in both headers is refused": withStage(
      "authentication",
      ({ request: { headers } }, right) => {
        const hasBoth = headers.authorization?.startsWith("Bearer ") === true && headers[productHeader] !== undefined;
        return hasBoth ? reject("unauthorized") : right();
      },
    ),
    "an object with a name that is there twice is refused": insists(
      "create_flow",
      ({ goal }) => goal !== "the first goal" && goal !== "the second goal",
    ),
    "a compressed body is inflated, within the size limit; of any other a byte order mark is skipped": rereads(
      (bytes, { request: { headers } }) => {
        const isMarked = bytes.subarray(0, 3).equals(Buffer.from("\ufeff"));
        if (headers["content-encoding"] !== "gzip") return isMarked ? bytes.subarray(3) : bytes;
        return tried(() => gunzipSync(bytes, { maxOutputLength: MAX_BYTES }), "too-large" as const);
      },
    ),
    "state that is nested deeply is stored and shown": together(
      withLimits({ jsonDepth: 1_000_000 }),
      withRequest((body) => (isDeep(body["stateJson"]) ? { ...body, stateJson: DEEP } : body)),
      withReply((reply) => ({ ...reply, text: reply.text.replaceAll(JSON.stringify(DEEP), deep) })),
    ),
    "a request with a header that is there twice is malformed": withStage("authentication", (exchange, right) => {
      const { authorization = [], [productHeader]: own = [] } = exchange.request.headersDistinct;
      const isTwice = authorization.length > 1 || own.length > 1;
      return isTwice ? reject("invalid_request") : right();
    }),
    "which ids a route may have: those that a path has to encode, too, but for those with a blank": encodesIds,
    "unknown fields of a route are ignored, bad routes left out, other spellings of a path are other paths": readAlone(
      ({ path, sessionKey, secret }) =>
        sessionKey === undefined || secret === undefined
          ? undefined
          : { ...(path !== undefined && { path }), sessionKey, secret },
    ),
    // The last one: it writes what others have changed.
    "an early refusal is written as two chunks, and the connection closed behind it": together(
      withLimits({ drainMs: 3_600_000 }),
      inTwoChunks,
    ),
  }),
];
