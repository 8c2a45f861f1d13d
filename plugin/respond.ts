import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import { hasArrived } from "./body.ts";
import type { Code } from "./codes.ts";
import { onConnectionClose } from "./connection.ts";
import type { Clock } from "./ports.ts";

/** The tables an answer is completed from. */
interface Wording {
  readonly statuses: Readonly<Record<Code, number>>;
  readonly messages: Readonly<Record<Code, string>>;
}

/** An answer as it goes out. */
export function worded(routeId: string, answer: Answer, wording: Wording) {
  const { ok, code, result } = answer;
  const error = ok || code === undefined ? undefined : (answer.error ?? wording.messages[code]);
  return { status: code === undefined ? 200 : wording.statuses[code], envelope: { ok, routeId, code, error, result } };
}

/** Writes the one answer to a request: the only writer of responses. Ends it only if the request's body is here. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  routeId: string,
  answer: Answer,
  wording: Wording,
): void {
  const { status, envelope } = worded(routeId, answer, wording);
  const text = JSON.stringify(envelope);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...answer.headers,
  });
  const body = request.method === "HEAD" ? "" : text;
  // A response that is not ended is whole for a caller, who knows its length. Ended, node would close a connection with
  // unread bytes, and the reset could overtake the answer.
  if (hasArrived(request)) response.end(body);
  else if (body === "") response.flushHeaders();
  else response.write(body);
}

/**
 * Destroys the connection of a client that does not take its answer within `answerMs` milliseconds: the in-flight slot
 * and the bytes would be held for as long as the client likes.
 */
export function limitUntaken(request: IncomingMessage, response: ServerResponse, answerMs: number, clock: Clock): void {
  // Mostly the system has taken the whole answer at once, and nothing is left to wait for.
  if (!(response.writableLength > 0)) return;
  const cancelTimeout = clock.setTimeout(() => request.socket.destroy(), answerMs);
  const cancelWatch = onConnectionClose(request, cancelTimeout);
  response.once("finish", () => {
    cancelTimeout();
    cancelWatch();
  });
}

/** Ends an answered response whose request was not read to its end; destroys its connection after `drainMs` milliseconds. */
export function drain(
  request: IncomingMessage,
  response: ServerResponse,
  drainMs: number,
  clock: Clock,
): Promise<void> {
  // What still arrives is discarded, so that the caller can read the answer and keep the connection.
  return new Promise((resolve) => {
    const cancelTimeout = clock.setTimeout(() => request.socket.destroy(), drainMs);
    let cancelWatch: (() => void) | undefined;
    const settle = (): void => {
      cancelTimeout();
      cancelWatch?.();
      request.off("end", settle);
      response.end();
      resolve();
    };
    request
      .on("error", () => {})
      .once("end", settle)
      .resume();
    cancelWatch = onConnectionClose(request, settle);
  });
}
