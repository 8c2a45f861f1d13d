/** A request and its response as the judge sees them: the exchange, read once. */
import { accepts, describe, envelopeOf, flowsOf, textOf, type Exchange, type FlowView } from "../http/exchange.ts";
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

export interface Response {
  readonly exchange: Exchange;
  readonly status: number;
  readonly text: string;
  readonly envelope: Readonly<Record<string, unknown>> | undefined;
  /** `ok: true` with a 2xx status. */
  readonly accepted: boolean;
  readonly code: string | undefined;
  readonly views: readonly FlowView[];
}

export function responseOf(exchange: Exchange): Response {
  const { answer } = exchange;
  const text = answer === undefined ? "" : textOf(answer);
  const envelope = envelopeOf(exchange) as Response["envelope"];
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

/** The revision and the status that a view shows. */
export const revisionAndStatus = ({ revision: shows, status }: FlowView) => ({
  shows,
  showsStatus: typeof status === "string" ? status : undefined,
});

/** What an answer says, and shows of one flow. */
export function answerOf({ status, accepted, code, views }: Response, flow: string) {
  const view = views.find(({ flowId }) => flowId === flow);
  return { status, accepted, code, ...(view && revisionAndStatus(view)) };
}
