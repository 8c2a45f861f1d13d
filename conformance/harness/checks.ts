/** The checks of the cases. A failing `setUp` or `twin` makes a case unreached; any other failing check fails it. */
import { isDeepStrictEqual } from "node:util";
import { describe, envelopeOf, flowsOf, isAccepted, type Exchange, type FlowView } from "../http/exchange.ts";
import { stopOfStatus } from "../interface/way.ts";
import { Failure, NotApplicable, Unreached } from "./case-errors.ts";

export { flowsOf, type FlowView };

function acceptedOr(why: string, exchange: Exchange): Exchange {
  if (isAccepted(exchange)) return exchange;
  throw new Unreached(`${why}: ${describe(exchange)}`, [exchange], stopOfStatus(exchange.answer?.status));
}

export const setUp = (exchange: Exchange, what: string): Exchange =>
  acceptedOr(`the set-up (${what}) was not accepted`, exchange);

/** The same request without the one defect: it has to be accepted, or a refusal proves nothing. */
export const mustTakeTwin = (exchange: Exchange): Exchange =>
  acceptedOr("the valid request beside it was not accepted either", exchange);

export function mustAccept(exchange: Exchange, what = "the request accepted (ok:true with a 2xx status)"): Exchange {
  if (isAccepted(exchange)) return exchange;
  throw new Failure(what, describe(exchange), [exchange]);
}

/** Answered, by whomever and however, but not accepted. */
export function mustNotAccept(exchange: Exchange, what: string): void {
  if (exchange.answer === undefined || isAccepted(exchange)) throw new Failure(what, describe(exchange), [exchange]);
}

/** Unreached without an answer. `what`: names the request in the reason. */
export function mustAnswer(exchange: Exchange, what = "a request"): Exchange {
  if (exchange.answer !== undefined) return exchange;
  throw new Unreached(`${what} got no answer: ${describe(exchange)}`, [exchange]);
}

export interface Refusal {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/** `400 invalid_request`, or the part of it that is given. */
export function refusal({ status, code }: Refusal): string {
  if (status === undefined) return code === undefined ? "a refusal" : `a refusal with the code ${code}`;
  return code === undefined ? `${status}` : `${status} ${code}`;
}

export function isRefused(exchange: Exchange, as: Refusal): boolean {
  const { answer } = exchange;
  const { ok, code } = envelopeOf(exchange) ?? {};
  // The interface gives not_found no status: `ok` and `code` say that nothing was done.
  if (answer === undefined || (answer.status < 400 && !(ok === false && code === "not_found"))) return false;
  const [status = answer.status, wanted = code] = [as.status, as.code];
  return ok !== true && answer.status === status && code === wanted;
}

/** The point of the case is that this is refused, with this status and code where they are given. `what`: names the request. */
export function mustRefuse(exchange: Exchange, as: Refusal = {}, what?: string): Exchange {
  if (isRefused(exchange, as)) return exchange;
  const expected = what === undefined ? refusal(as) : `${what} refused (${refusal(as)})`;
  throw new Failure(expected, describe(exchange), [exchange]);
}

/** RFC 9110, 15.5.12: a server may want a Content-Length. */
export function mustTakeChunks(exchange: Exchange): Exchange {
  const { answer, request } = exchange;
  if (answer?.status !== 411 || request.chunked !== true) return exchange;
  throw new NotApplicable("the target requires a Content-Length (411), so chunked requests cannot be judged");
}

/** Fails unless the condition holds. `expected` and `actual` must be the same in every run: baselines compare them. */
export function check(condition: boolean, expected: string, actual: string, ...exchanges: Exchange[]): void {
  if (!condition) throw new Failure(expected, actual, exchanges);
}

/** Whether a view shows the state data that was sent: as a value or as its JSON text, in whichever form it was sent. */
export function isShownAs(sent: unknown, shown: unknown): boolean {
  return isSameJson(shown, sent) || isTextOf(shown, sent) || isTextOf(sent, shown);
}

function isTextOf(text: unknown, value: unknown): boolean {
  return isJsonText(text) && isSameJson(JSON.parse(text), value);
}

/** Minus zero is zero, and a number beyond all doubles null, as most writers of JSON have them (RFC 8259, 6: ranges are open). */
const written = (value: unknown): unknown =>
  ["object", "number"].includes(typeof value) ? JSON.parse(JSON.stringify(value)) : value;
const isSameJson = (one: unknown, other: unknown) => isDeepStrictEqual(written(one), written(other));

export function isJsonText(text: unknown): text is string {
  try {
    return typeof text === "string" && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Finds the number under this name anywhere in a result; of several, the outermost. Undefined where the value is no
 * number, as in a summary that counts by group. Bounded in depth.
 */
export function numberIn(result: unknown, name: string): number | undefined {
  let level = [result];
  for (let below = 6; below > 0 && level.length > 0; below -= 1) {
    const objects = level.filter((value) => typeof value === "object" && value !== null) as Record<string, unknown>[];
    const found = objects.filter((value) => Object.hasOwn(value, name)).map((value) => value[name]);
    if (found.length > 0) return found.length === 1 && typeof found[0] === "number" ? found[0] : undefined;
    level = objects.flatMap((value) => Object.values(value));
  }
  return undefined;
}

/** Every value in a result, with the name of its field; empty in a list, whose places may look like ids. Bounded in depth. */
export function partsIn(value: unknown, depth = 6, parts: Part[] = []): readonly Part[] {
  if (typeof value !== "object" || value === null || depth === 0) return parts;
  const isList = Array.isArray(value);
  for (const [name, item] of Object.entries(value)) {
    parts.push([isList ? "" : name, item]);
    if (typeof item === "object") partsIn(item, depth - 1, parts);
  }
  return parts;
}

type Part = readonly [name: string, value: unknown];

/** What an answer shows in place of a flow, by JSON types: `flowId: string, revision: string`; or `none`. */
export function insteadOfFlow(exchange: Exchange): string {
  const parts = partsIn(envelopeOf(exchange)?.result).filter(([name]) => name === "flowId" || name === "revision");
  return [...new Map(parts)].map(([name, value]) => `${name}: ${jsonTypeOf(value)}`).join(", ") || "none";
}

export const jsonTypeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

/** The one flow of a result, as set-up. */
export function flowOf(exchange: Exchange): FlowView {
  const [flow] = flowsOf(exchange);
  if (flow !== undefined) return flow;
  throw new Unreached(
    `the result holds no object with flowId and integer revision: ${insteadOfFlow(exchange)}`,
    [exchange],
    "actions",
  );
}

/** The first object with a string `taskId` in a result; undefined where the target shows none. */
export function taskIdOf(exchange: Exchange): string | undefined {
  return taskIdIn(envelopeOf(exchange)?.result);
}

export function taskIdIn(result: unknown): string | undefined {
  const ids = partsIn(result).flatMap(([name, value]) => (name === "taskId" ? [value] : []));
  return ids.find((id) => typeof id === "string");
}
