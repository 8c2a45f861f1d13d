/** An answer as the model judges it: read once. */
import { flowsIn, type FlowView } from "../harness/checks.ts";
import { accepts, envelopeOf, neutral, textOf, type Exchange } from "../http/exchange.ts";

export interface Said {
  readonly exchange: Exchange;
  readonly status: number;
  readonly text: string;
  readonly envelope: Readonly<Record<string, unknown>> | undefined;
  /** `ok: true` with a 2xx status. */
  readonly accepted: boolean;
  readonly code: string | undefined;
  readonly views: readonly FlowView[];
}

export function saidBy(exchange: Exchange): Said {
  const { answer } = exchange;
  const text = answer === undefined ? "" : textOf(answer);
  const envelope = envelopeOf(exchange) as Said["envelope"];
  const status = answer?.status ?? 0;
  const code = typeof envelope?.["code"] === "string" ? envelope["code"] : undefined;
  const accepted = envelope !== undefined && accepts(status, envelope);
  return { exchange, status, text, envelope, accepted, code, views: flowsIn(envelope?.["result"]) };
}

/** `409 revision_conflict`: what an answer is known by, the same from run to run. */
export function printOf({ exchange, status, code, envelope }: Said): string {
  if (exchange.answer === undefined) return exchange.fault ?? "no answer";
  if (envelope === undefined) return `${status} without a JSON object`;
  if (typeof envelope["ok"] !== "boolean") return `${status} without \`ok\``;
  return `${status} ok:${envelope["ok"]}${code === undefined ? "" : ` ${neutral(code, 60)}`}`;
}
