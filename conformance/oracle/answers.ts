/** Judgements that need only the request and its response, not the world. */
import { actionClause } from "../interface/clauses/index.ts";
import { envelopeFault } from "../harness/envelope.ts";
import { statusOfCode } from "../interface/gaps.ts";
import type { Allowed } from "../interface/flow-model.ts";
import type { PersistenceFault } from "../targets/control.ts";
import { departure, type Departure } from "./departure.ts";
import { printOf, type Response, type Sent } from "./response.ts";
import type { Learned } from "./learned.ts";
import type { KnownFlow } from "./world.ts";

/** What is wrong with a response whatever the request was: there is none, or it has another form. */
export function shapeFault({ route }: Pick<Sent, "route">, response: Response): Departure | undefined {
  const { exchange } = response;
  if (exchange.answer === undefined) return departure("PATH-SERVED", "an answer", printOf(response));
  return envelopeFault(exchange, route.id) ?? statusFault(response);
}

/** What is no envelope may be the gateway's own answer, with codes of its own. */
export function statusFault(response: Response): Departure | undefined {
  const { code = "", status, envelope } = response;
  const stated = statusOfCode.get(code);
  if (envelope?.["ok"] !== false || stated === undefined || status === stated) return undefined;
  const clause = code === "invalid_request" ? "ERROR-INVALID" : "REVISION-STALE";
  return departure(clause, `${stated} ${code}`, printOf(response));
}

/** `isRevised`: the request had a revision. `learned`: the target's own rules. */
export function absent(
  action: string,
  flow: KnownFlow | undefined,
  isRevised: boolean,
  learned: Learned,
  response: Response,
): Departure | undefined {
  const what = flow === undefined ? "a flow that does not exist" : "a flow of another session";
  const clause = flow === undefined ? "ERROR-NOT-FOUND" : "SESSION-BOUND";
  if (response.accepted) return departure(clause, `${action} of ${what} refused`, printOf(response));
  const isConflict = String(response.code === "revision_conflict");
  // Compared with the revision of another session's flow: one who guesses learns it from the difference.
  if (flow !== undefined && isRevised && !learned.holds(`${action} of a foreign flow is a conflict`, isConflict))
    return departure(clause, "the same whatever revision is sent", printOf(response));
  if (response.code === "not_found" || response.code === "invalid_request") return undefined;
  return flow === undefined ? departure(clause, "the code not_found", printOf(response)) : undefined;
}

export function unlawful(action: string, column: string, allowed: readonly Allowed[], response: Response): Departure {
  const wanted = allowed.map(({ accepted, status, code, learns }) => {
    const as = [status, code].filter((part) => part !== undefined).join(" ");
    const way = accepted ? "accepted" : "refused";
    return `${action} ${way}${as === "" ? "" : ` (${as})`}${learns === undefined ? "" : " as the times before"}`;
  });
  const isAlike = ({ accepted, status = response.status }: Allowed) =>
    accepted === response.accepted && status === response.status;
  const alike = allowed.find((one) => isAlike(one) && one.codeClause !== undefined);
  const clause = alike?.codeClause ?? allowed[0]?.clause ?? actionClause(action);
  return departure(clause, `${[...new Set(wanted)].join(" or ")}; the flow: ${column}`, printOf(response));
}

export const faultOf = (action: string): PersistenceFault =>
  action === "run_task" ? "task" : action === "cancel_flow" ? "cancel" : "update";
