/** Section 8: limits that hold for requests of the usual kind only. */
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../../../plugin/ports.ts";
import { withStage } from "../../changes.ts";
import { withStageKey } from "../../limit-changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const isChunked = ({ headers }: IncomingMessage): boolean => headers["transfer-encoding"] === "chunked";

/** Settles when no data has come for so long. */
const idle = (request: IncomingMessage, clock: Clock, ms: number): Promise<"timeout"> =>
  new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const restart = () => {
      cancel?.();
      cancel = clock.setTimeout(() => resolve("timeout"), ms);
    };
    restart();
    request.on("data", restart).once("close", () => cancel?.());
  });

const chunksRestartTime: Change = {
  parts: (parts) => ({
    ...parts,
    readBody: (request, limits, clock) =>
      isChunked(request)
        ? Promise.race([
            parts.readBody(request, { ...limits, bodyMs: 3_600_000 }, clock),
            idle(request, clock, limits.bodyMs),
          ])
        : parts.readBody(request, limits, clock),
  }),
};

const unanswered = new WeakMap<object, number>();

const pipelinedFree = withStage("in-flight", ({ run }) => (exchange) => {
  const { request, response } = exchange;
  const before = unanswered.get(request.socket) ?? 0;
  unanswered.set(request.socket, before + 1);
  // Later than the requests that came in the same packet: the plugin can have answered one before the next is handled.
  const answered = () => unanswered.set(request.socket, (unanswered.get(request.socket) ?? 1) - 1);
  response.once("finish", () => setImmediate(answered));
  return before > 0 ? undefined : run(exchange);
});

export const arrivals: readonly Subject[] = subjectsOf<Subject>({
  "body-time-per-chunk": {
    bug: "Each chunk of a body begins the 15 seconds anew.",
    kills: ["BODY-TIME-EVERY-REQUEST"],
    change: chunksRestartTime,
  },
  "rate-key-absolute-form": {
    bug: "A request target in absolute form has a budget of its own.",
    kills: ["RATE-EVERY-REQUEST"],
    change: withStageKey("rate-limit", (_route, { url = "" }, key) => (url.startsWith("/") ? key : `${url} ${key}`)),
  },
  "in-flight-pipelined": {
    bug: "A request that was sent before the one in front of it was answered takes no slot.",
    kills: ["IN-FLIGHT-EVERY-REQUEST"],
    change: pipelinedFree,
  },
});
