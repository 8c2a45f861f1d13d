/** The plugin's action stage, wrapped: a mock may delay it, or answer in its place. */
import type { IncomingMessage } from "node:http";
import * as mutating from "../../plugin/actions/mutations.ts";
import { specificationCodes, type Code } from "../../plugin/codes.ts";
import type { Exchange, RouteContext, Stage, StageOutcome } from "../../plugin/contract.ts";
import type { JsonObject } from "../../plugin/json.ts";
import { answerOf, type Outcome, type RawAnswer } from "./outcomes.ts";
import type { Noted } from "./received.ts";

export type NextOutcome = (request: { readonly route: string; readonly action: unknown }) => Outcome | undefined;

interface Forcing {
  readonly nextOutcome: NextOutcome;
  readonly latencyMs: number;
  readonly noteOf: (request: IncomingMessage) => Noted | undefined;
}

/**
 * Asks for an outcome before the action is carried out. The checks of section 4 come first, so a request that they refuse
 * uses up no outcome. A delayed request holds its in-flight slot, as with a slow gateway.
 */
export function forcedAction(action: Stage, { nextOutcome, latencyMs, noteOf }: Forcing): Stage {
  return {
    name: action.name,
    async run(exchange) {
      const { context, request, body = {} } = exchange;
      const note: Partial<Noted> = noteOf(request) ?? {};
      Object.assign(note, { route: context.route.id, body });
      if (latencyMs > 0) {
        await new Promise<void>((resolve) => {
          context.clock.setTimeout(resolve, latencyMs);
        });
      }
      const outcome = nextOutcome({ route: context.route.id, action: body["action"] });
      if (outcome === undefined) return action.run(exchange);
      note.forced = true;
      if (outcome === "lost_answer") await carryOut(action, exchange);
      if (outcome === "lost_answer" || outcome === "no_answer") return dropped(exchange);
      if (typeof outcome === "object") return raw(exchange, outcome, note);
      return answerOf(outcome, await forcedResult(outcome, body, context));
    },
  };
}

async function carryOut(action: Stage, exchange: Exchange): Promise<void> {
  try {
    await action.run(exchange);
  } catch {
    // The plugin answers 500, and the mock drops that answer as well.
  }
}

function dropped({ request }: Exchange): StageOutcome {
  request.socket.destroy();
  return "aborted";
}

/** Bypasses the plugin's writer: this answer is not the plugin's, so it gets none of its headers. */
function raw(
  { response }: Exchange,
  { status, headers = {}, body = "" }: RawAnswer,
  note: Partial<Noted>,
): StageOutcome {
  response.writeHead(status, { ...headers }).end(body);
  note.status = status;
  return "aborted";
}

/** Codes of a check before the action, which has an empty result. */
const beforeAction: readonly Code[] = ["invalid_request", "request_rejected"];
const ofRuntime: ReadonlySet<Code> = new Set(specificationCodes.filter((code) => !beforeAction.includes(code)));

const mutations: ReadonlySet<unknown> = new Set(Object.values(mutating).map(({ name }) => name));

/**
 * The `result` of a forced code, shaped as the action itself shapes it, so that a client's parser sees nothing new.
 * Nothing is carried out, so a flow is shown as it is stored, and its revision is one that the caller can go on with; a
 * cancellation that is pending shows when it was requested. A flow that does not exist is not shown.
 */
async function forcedResult(code: Code, body: JsonObject, context: RouteContext): Promise<object> {
  const { action, flowId } = body;
  if (!ofRuntime.has(code)) return {};
  if (action === "create_flow") return { created: false };
  const found = code !== "not_found";
  const { flow: shown } = context.parts.views;
  const stored = found && typeof flowId === "string" ? ((await context.flows.get(flowId)) ?? undefined) : undefined;
  if (mutations.has(action)) return { applied: false, ...(stored && { current: shown(stored) }) };
  if (action === "run_task") return { created: false, found, ...(stored && { flow: shown(stored) }) };
  if (action !== "cancel_flow") return {};
  const isPending = code === "cancel_pending";
  const asked = isPending && stored ? { ...stored, cancelRequestedAt: context.clock.now() } : stored;
  return { found, cancelled: false, ...(asked && { flow: shown(asked), ...(isPending && { tasks: [] }) }) };
}
