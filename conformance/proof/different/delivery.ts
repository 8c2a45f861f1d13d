/** Freedoms in how an answer comes over the connection. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { both, withLimits, withParts } from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";
import { hasArrived } from "../../../plugin/body.ts";
import { writeAnswer } from "../../../plugin/respond.ts";

/** Between the head of such a refusal and its content, ms. */
const TICK_MS = 5;

/**
 * A refusal while the body is still owed goes out as its head and, a tick later, its content; then the connection is
 * closed with the rest of the request unread, so the system resets it. The answer was whole by then.
 */
const inTwoChunks: Change = withParts({
  writeAnswer: (request, response, routeId, answer, wording) => {
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
  },
});

export const delivery: readonly Different[] = subjectsOf<Different>({
  "refusal-in-two-chunks": {
    freedom: "an early refusal is written as two chunks, and the connection closed behind it",
    change: both(withLimits({ drainMs: 3_600_000 }), inTwoChunks),
  },
});
