/** Section 8: limits that hold for requests of the usual kind only. */
import { withStage } from "../../changes.ts";
import { withStageKey } from "../../limit-changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

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
