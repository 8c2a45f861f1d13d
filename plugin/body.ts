import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Limits } from "./limits.ts";
import type { Clock } from "./ports.ts";

/** The bytes of a body, or why there are none. `aborted`: the connection closed. */
export type BodyOutcome = Buffer | "too-large" | "timeout" | "aborted";

/** Reads a whole body within `limits.bodyBytes` bytes and `limits.bodyMs` milliseconds. Never rejects. */
export function readBody(request: IncomingMessage, limits: Limits, clock: Clock): Promise<BodyOutcome> {
  if (Number(request.headers["content-length"]) > limits.bodyBytes) return Promise.resolve("too-large");
  if (request.destroyed) return Promise.resolve("aborted");

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
