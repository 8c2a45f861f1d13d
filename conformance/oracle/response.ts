/** A request and its response as the judge sees them: the exchange, read once. */
import { accepts, describe, envelopeOf, flowsOf, textOf, type Exchange, type FlowView } from "../http/exchange.ts";
import { envelopeFault } from "../harness/envelope.ts";
import { departure, type Departure } from "../harness/finding.ts";
import { statusOfCode } from "../interface/gaps.ts";
import type { SendStep } from "../story/story.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";

/** A request: as it was filled in, and when it was sent and answered. */
export interface Sent {
  readonly step: SendStep;
  readonly route: ConfiguredRoute;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: TimeSpan;
}

/** On the target's clock, ms. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

export type Response = Readonly<ReturnType<typeof responseOf>>;

export function responseOf(exchange: Exchange) {
  const { answer } = exchange;
  const text = answer === undefined ? "" : textOf(answer);
  const envelope = envelopeOf(exchange) as Readonly<Record<string, unknown>> | undefined;
  const status = answer?.status ?? 0;
  const code = typeof envelope?.["code"] === "string" ? envelope["code"] : undefined;
  const accepted = envelope !== undefined && accepts(status, envelope);
  return { exchange, status, text, envelope, accepted, code, views: flowsOf(exchange) };
}

/** `ok: false`, with any status but one that says the contrary: the interface gives the status of few codes. */
export const isRefusal = ({ accepted, status, envelope, code }: Response): boolean =>
  !accepted && (status >= 400 || (envelope?.["ok"] === false && code !== undefined && status >= 200 && status < 300));

/** `409 ok:false revision_conflict`: enough to recognise a response, and the same from run to run. */
export const printOf = ({ exchange }: Response): string => describe(exchange, 60);

export const revisionAndStatus = ({ revision: shows, status }: FlowView) => ({
  shows,
  showsStatus: typeof status === "string" ? status : undefined,
});

export function answerOf({ status, accepted, code, views }: Response, flow: string) {
  const view = views.find(({ flowId }) => flowId === flow);
  return { status, accepted, code, ...(view && revisionAndStatus(view)) };
}

/** What is wrong with a response whatever the request was: there is none, or it has another form. */
export function shapeFault({ route }: Pick<Sent, "route">, response: Response): Departure | undefined {
  const { exchange } = response;
  if (exchange.answer === undefined) return departure("PATH-SERVED", "an answer", printOf(response));
  return envelopeFault(exchange, route.id) ?? statusFault(response);
}

/** An answer without an envelope may be the gateway's own, with codes of its own: only its status is judged. */
export function statusFault(response: Response): Departure | undefined {
  const { code = "", status, envelope } = response;
  const stated = statusOfCode.get(code);
  if (envelope?.["ok"] !== false || stated === undefined || status === stated) return undefined;
  const clause = code === "invalid_request" ? "ERROR-INVALID" : "REVISION-STALE";
  return departure(clause, `${stated} ${code}`, printOf(response));
}
