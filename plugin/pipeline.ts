import type { IncomingMessage, ServerResponse } from "node:http";
import { reject } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Exchange, RouteContext, StageOutcome } from "./contract.ts";
import { drain, limitUntaken } from "./respond.ts";

/** The handler of one route: passes the request through the stages and writes the first answer. Always resolves to true. */
export function createHandler(context: RouteContext) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const exchange: Exchange = { context, request, response };
    try {
      // Lets node read on in what came with the head: mostly the whole body, which is then neither waited for nor timed.
      await Promise.resolve();
      const outcome = await runStages(exchange);
      const draining = outcome === "aborted" ? undefined : write(exchange, outcome);
      if (draining !== undefined) await draining;
    } catch (thrown) {
      const { logger, route } = context;
      logger.error?.(`webhooks: route ${JSON.stringify(route.id)}: internal error: ${describe(thrown)}`);
      if (response.headersSent) request.socket.destroy();
      else await write(exchange, reject("internal_error"));
    }
    return true;
  };
}

async function runStages(exchange: Exchange): Promise<NonNullable<StageOutcome>> {
  for (const stage of exchange.context.parts.stages) {
    const running = stage.run(exchange);
    // An await costs a turn of the microtask queue: most stages need none.
    const outcome = running instanceof Promise ? await running : running;
    if (outcome !== undefined) return outcome;
  }
  throw new Error("no stage answered");
}

/** Undefined: the answer is whole. A promise: the rest of the request is still arriving. */
function write({ context, request, response, releaseSlot }: Exchange, answer: Answer): Promise<void> | undefined {
  const { parts, clock, route } = context;
  parts.writeAnswer(request, response, route.id, answer, parts);
  if (response.writableEnded) {
    limitUntaken(request, response, parts.limits.answerMs, clock);
    return undefined;
  }
  // The caller has the answer but is still uploading: draining the rest must not hold a slot.
  releaseSlot?.();
  return drain(request, response, parts.limits.drainMs, clock);
}

/** The class and code of what was thrown, without its message: that may hold a session key. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const code = "code" in thrown ? thrown.code : undefined;
  const shown = typeof code === "string" && /^\w{1,64}$/.test(code) ? ` ${code}` : "";
  return `${thrown.constructor.name}${shown}`;
}
