import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Limits } from "./limits.ts";
import type { Clock, MaybePromise } from "./ports.ts";

/** The bytes of a body, or why there are none. `aborted`: the connection closed. */
export type BodyOutcome = Buffer | "too-large" | "timeout" | "aborted";

/** Whether the body is here to its last byte, read or not. */
export function hasArrived(request: IncomingMessage): boolean {
  // Node sets `complete` a moment later than it wakes whoever waits for these bytes. `readBody` alone reads without
  // listeners, and only whole bodies.
  const { complete, readableDidRead, readableFlowing, readableLength, headers } = request;
  if (complete || (readableDidRead && readableFlowing === null)) return true;
  return !readableDidRead && readableLength === Number(headers["content-length"]);
}

/** Reads a whole body within `limits.bodyBytes` bytes and `limits.bodyMs` milliseconds. Never rejects. */
export function readBody(request: IncomingMessage, limits: Limits, clock: Clock): MaybePromise<BodyOutcome> {
  if (Number(request.headers["content-length"]) > limits.bodyBytes) return "too-large";
  if (request.destroyed) return "aborted";
  // No listeners and no timer for what has arrived.
  if (request.readableFlowing === null && hasArrived(request)) {
    // All of it by its length: from Node 26 on, `read()` gives only the first of several chunks.
    const whole: Buffer = request.read(request.readableLength) ?? Buffer.alloc(0);
    return whole.length > limits.bodyBytes ? "too-large" : whole;
  }

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;

    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) settle("too-large");
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    const onAbort = (): void => settle("aborted");
    const cancelTimeout = clock.setTimeout(() => settle("timeout"), limits.bodyMs);

    function settle(outcome: BodyOutcome): void {
      cancelTimeout();
      request.off("data", onData).off("end", onEnd).off("close", onAbort).off("error", onAbort);
      resolve(outcome);
    }

    request.on("data", onData).on("end", onEnd).on("close", onAbort).on("error", onAbort);
  });
}
