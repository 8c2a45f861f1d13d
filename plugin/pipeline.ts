import type { IncomingMessage, ServerResponse } from "node:http";
import { reject } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Exchange, RouteContext, StageOutcome } from "./contract.ts";
import { drain } from "./respond.ts";

/** The class and code of what was thrown; its message may hold a session key. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const code = "code" in thrown ? thrown.code : undefined;
  const shown = typeof code === "string" && /^\w{1,64}$/.test(code) ? ` ${code}` : "";
  return `${thrown.constructor.name}${shown}`;
}

async function runStages(exchange: Exchange): Promise<StageOutcome> {
  for (const stage of exchange.context.parts.stages) {
    const outcome = await stage.run(exchange);
    if (outcome !== undefined) return outcome;
  }
  throw new Error("no stage answered");
}

async function answer({ context, request, response, releaseSlot }: Exchange, given: Answer): Promise<void> {
  const { parts, clock, route } = context;
  parts.writeAnswer(request, response, route.id, given, parts);
  if (response.writableEnded) return;
  // The caller has its answer; what is left is its own upload.
  releaseSlot?.();
  await drain(request, response, parts.limits.drainMs, clock);
}

/** The handler of one route: a request through the stages, the first outcome answered. Always resolves to true. */
export function createHandler(context: RouteContext) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const exchange: Exchange = { context, request, response };
    try {
      const outcome = await runStages(exchange);
      if (outcome !== undefined && outcome !== "aborted") await answer(exchange, outcome);
    } catch (thrown) {
      context.logger.error?.(
        `webhooks: route ${JSON.stringify(context.route.id)}: internal error: ${describe(thrown)}`,
      );
      if (response.headersSent) request.socket.destroy();
      else await answer(exchange, reject("internal_error"));
    }
    return true;
  };
}
