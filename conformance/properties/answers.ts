/** Parts of the judgement that need nothing but the request and its answer. */
import type { ActionName } from "../../fixtures/fields.ts";
import { actionClause } from "../interface/clauses/endpoints.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Allowed } from "../interface/flow-model.ts";
import type { PersistenceFault } from "../targets/control.ts";
import { finding, type Finding } from "./finding.ts";
import { printOf, type Said } from "./said.ts";
import type { KnownFlow, Sent } from "./world.ts";

export function envelopeFault({ routeId }: Sent, said: Said): Finding | undefined {
  const { exchange, envelope, accepted } = said;
  if (exchange.answer === undefined) return finding("PATH-SERVED", "an answer", printOf(said));
  if (typeof envelope?.["ok"] !== "boolean")
    return finding("ENVELOPE-OK", "an envelope with a boolean ok", printOf(said));
  if (envelope["routeId"] !== routeId) return finding("ENVELOPE-ROUTE-ID", "the route's own id", "another routeId");
  const { result, code, error } = envelope;
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    return finding("ENVELOPE-RESULT", "a result that is an object", "another result");
  }
  if (accepted) return undefined;
  if (typeof code !== "string" || code === "") return finding("ENVELOPE-CODE", "a refusal with a code", printOf(said));
  return typeof error === "string" ? undefined : finding("ENVELOPE-ERROR", "a refusal with an error", printOf(said));
}

/** The clause by which a request is refused whatever it asks for; undefined for one that is right so far. */
export function spoiltBy({ step: { method, contentType, secret, text }, body }: Sent): ClauseId | undefined {
  if (method !== undefined && method !== "POST") return "METHOD-POST";
  if (contentType !== undefined) return "CONTENT-TYPE";
  if (secret !== undefined) return "AUTH-REQUIRED";
  return text !== undefined || typeof body["action"] !== "string" ? "BODY-OBJECT" : undefined;
}

export function mustRefuse(clause: ClauseId, said: Said): Finding | undefined {
  if (clause === "AUTH-REQUIRED" && said.status !== 401) return finding(clause, "401", printOf(said));
  return said.accepted || said.status < 400 ? finding(clause, "a refusal", printOf(said)) : undefined;
}

export function absent(action: string, flow: KnownFlow | undefined, said: Said): Finding | undefined {
  const what = flow === undefined ? "a flow that does not exist" : "a flow of another session";
  const clause = flow === undefined ? "ERROR-NOT-FOUND" : "SESSION-BOUND";
  if (said.accepted) return finding(clause, `${action} of ${what} refused`, printOf(said));
  if (said.code === "not_found" || said.code === "invalid_request") return undefined;
  return flow === undefined ? finding(clause, "the code not_found", printOf(said)) : undefined;
}

export function unlawful(action: string, column: string, allowed: readonly Allowed[], said: Said): Finding {
  const wanted = allowed.map(({ accepted, status, code, learns }) => {
    const as = [status, code].filter((part) => part !== undefined).join(" ");
    const way = accepted ? "accepted" : "refused";
    return `${action} ${way}${as === "" ? "" : ` (${as})`}${learns === undefined ? "" : " as the times before"}`;
  });
  const clause = allowed[0]?.clause ?? actionClause(action as ActionName);
  return finding(clause, `${wanted.join(" or ")}; the flow: ${column}`, printOf(said));
}

export function revisionOf({ revision, past }: KnownFlow, sent: unknown): "current" | "stale" | "future" | undefined {
  if (sent === undefined) return undefined;
  if (sent === revision) return "current";
  return past.includes(sent as number) ? "stale" : "future";
}

export const faultOf = (action: string): PersistenceFault =>
  action === "run_task" ? "task" : action === "cancel_flow" ? "cancel" : "update";
