/** Freedoms in what an answer shows, what only the next read shows, and how an answer comes over the connection. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { accept } from "../../../plugin/answer.ts";
import { hasArrived } from "../../../plugin/body.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { revisionActions } from "../../interface/fields.ts";
import {
  together,
  withEnvelope,
  withFlowShown,
  withHandler,
  withLimits,
  withOutcome,
  withPart,
  withViews,
} from "../changes.ts";
import { lawful, type Different } from "../subject.ts";

/** Shows flows of a set with another status. */
const shownAs = (flows: ReadonlySet<string>, status: string, from: (flow: FlowRecord) => boolean) =>
  withFlowShown((flow) => (flows.has(flow.flowId) && from(flow) ? { ...flow, status } : flow));
// Shared by all routes of a session.
const cancelledAgain = new Set<string>();
const going = new Set<string>();

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

export const answers: readonly Different[] = lawful({
  "the result of run_task shows the task only": withOutcome("run_task", (answer) => {
    const { task } = answer.result as { task?: unknown };
    return answer.ok ? accept({ task }) : answer;
  }),
  "an empty result of each change, and of run_task": withOutcome([...revisionActions, "run_task"], (answer) =>
    answer.ok ? accept({}) : answer,
  ),
  "cancel_flow makes a cancelled flow of one that has ended": together(
    withOutcome("cancel_flow", (answer, { flowId }) => {
      if (answer.code !== "terminal") return answer;
      cancelledAgain.add(flowId as string);
      const { flow } = answer.result as { flow?: object };
      return accept({ found: true, cancelled: true, ...(flow && { flow: { ...flow, status: "cancelled" } }) });
    }),
    shownAs(cancelledAgain, "cancelled", () => true),
  ),
  "a flow with a task is running, at the revision that it had": together(
    withOutcome("run_task", (answer, { flowId }) => {
      if (!answer.ok) return answer;
      going.add(flowId as string);
      const { flow, ...rest } = answer.result as { flow: { status: string } };
      const status = flow.status === "queued" ? "running" : flow.status;
      return { ...answer, result: { ...rest, flow: { ...flow, status } } };
    }),
    shownAs(going, "running", ({ status }) => status === "queued"),
  ),
  "a task that names its flow and has a revision of its own": withViews((views) => ({
    task: (task) => ({ ...views.task(task), flowId: "its flow", revision: 1 }),
  })),
  "ok: false in the 202 of a cancellation that is pending, whose code is one of the errors": withEnvelope(
    (envelope, status) =>
      status === 202 ? { ...envelope, ok: false, error: "Child tasks are still active." } : envelope,
  ),
  "102 Processing before each answer": withHandler((handler) => (request, response) => {
    response.writeProcessing();
    return handler(request, response);
  }),
  "an early refusal is written as two chunks, and the connection closed behind it": together(
    withLimits({ drainMs: 3_600_000 }),
    inTwoChunks,
  ),
});
