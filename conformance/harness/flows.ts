/** Creating, changing and reading flows, and the checks that go with them. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change, createFlow, getFlow, type FlowAt } from "../interface/bodies.ts";
import { spoilt } from "../interface/broken-requests.ts";
import type { ActionName } from "../interface/fields.ts";
import type { ChangeAction } from "../interface/flow-model.ts";
import { validRequest, type ActionBody } from "../interface/request.ts";
import { describe, envelopeOf, isAccepted, textOf, type Exchange } from "../http/exchange.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { Failure, failureOf, NotApplicable, PROFILE_FIELDS, Unreached } from "./case-errors.ts";
import { check, flowsOf, mustAnswer, mustTakeTwin, setUp, type FlowView } from "./checks.ts";
import { withValues } from "./finding.ts";
import type { Trial } from "./trial.ts";

/** Unreached where a wrong secret is accepted as well, or not answered: an acceptance proves something only beside a refusal. */
export async function mustBeGuarded(trial: Trial, route: ConfiguredRoute): Promise<void> {
  const wrong = spoilt(validRequest(route, createFlow()), "AUTH");
  const exchange = mustAnswer(await trial.send(wrong), "a wrong secret");
  if (isAccepted(exchange)) throw new Unreached("a wrong secret is accepted as well", [exchange], "authentication");
}

/** The interface shows no field names for this action: not applicable where the target refuses those of the profile. */
export function mustUnderstand(exchange: Exchange, action: ActionName): Exchange {
  if (isAccepted(exchange)) return exchange;
  const { status = 0 } = exchange.answer ?? {};
  if (status >= 400 && status < 500 && status !== 401) {
    throw new NotApplicable(`the target refuses ${action} with ${PROFILE_FIELDS} it`);
  }
  throw new Failure(`${action} accepted, or its fields refused`, describe(exchange), [exchange]);
}

/** The same where the action only helps a case about something else: not applicable on any refusal. */
export function mustHelp(exchange: Exchange, action: ActionName): Exchange {
  if (isAccepted(exchange)) return exchange;
  throw new NotApplicable(`the case needs ${action}, which the target refuses with ${PROFILE_FIELDS} it`);
}

/**
 * A target that ignores unknown fields accepts the profile's field names without using them. Not applicable where the
 * same body with other names gets the same answer.
 */
export async function mustReadFields(trial: Trial, body: ActionBody, exchange: Exchange): Promise<void> {
  const misnamed = Object.entries(body).map(([name, value]) => [name === "action" ? name : `${name}Other`, value]);
  const other = await trial.post(Object.fromEntries(misnamed) as ActionBody);
  const [misread, read] = [other, exchange].map((answer) => JSON.stringify(envelopeOf(answer)?.result));
  if (!isAccepted(other) || misread !== read) return;
  throw new NotApplicable(`the target does not read ${PROFILE_FIELDS} ${body.action}`);
}

export function shownIn(exchange: Exchange, flowId: string): FlowView | undefined {
  return flowsOf(exchange).find((flow) => flow.flowId === flowId);
}

export const shows = (exchange: Exchange, flowId: string): boolean => shownIn(exchange, flowId) !== undefined;

/** Fails where an answer to a stranger, a route of another session, shows the flow or its goal. */
export function mustNotShow(exchange: Exchange, flow: FlowAt, goal: string): void {
  check(exchange.answer !== undefined, "an answer without the flow", describe(exchange), exchange);
  check(!shows(exchange, flow.flowId), "no flow of another session", "the flow", exchange);
  const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
  check(!text.includes(goal), "nothing of a flow of another session", "its goal", exchange);
}

/** The JSON text of a result; that of an empty one where the answer has none. */
export const resultText = (exchange: Exchange): string => JSON.stringify(envelopeOf(exchange)?.result ?? {});

/** The flow as get_flow shows it now; undefined where the target does not understand get_flow, or shows nothing. */
export async function readBack(trial: Trial, flowId: string, route?: ConfiguredRoute): Promise<FlowView | undefined> {
  const exchange = await trial.post(getFlow(flowId, trial.profile.fields), route);
  // A lost read says nothing of the flow. The runner retries the case, as with any lost answer.
  check(exchange.answer !== undefined, "an answer to get_flow", describe(exchange), exchange);
  return isAccepted(exchange) ? shownIn(exchange, flowId) : undefined;
}

/** The flow after a request about it: as the answer shows it, else as get_flow does. */
export async function flowAfter(trial: Trial, exchange: Exchange, flowId: string): Promise<FlowView> {
  const flow = shownIn(exchange, flowId) ?? (await readBack(trial, flowId));
  if (flow !== undefined) return flow;
  throw new NotApplicable("neither the answer nor get_flow shows the flow's new revision");
}

export async function sendChange(trial: Trial, action: ChangeAction, flow: FlowView): Promise<FlowView> {
  const exchange = setUp(await trial.post(change(action, flow)), action);
  return flowAfter(trial, exchange, flow.flowId);
}

export async function twoFlows(trial: Trial): Promise<[FlowView, FlowView]> {
  const [one, other] = [await trial.flow(), await trial.flow()];
  if (one.flowId === other.flowId) throw new Unreached("create_flow gives two flows one flowId", [], "actions");
  return [one, other];
}

/** A waiting flow: each of the five changes is lawful. */
export async function waitingFlow(trial: Trial): Promise<FlowView> {
  return sendChange(trial, "set_waiting", await trial.flow());
}

const statedFields = ["flowId", "revision", "goal", "status", "notifyPolicy", "controllerId"] as const;

/** Fails unless get_flow shows the flow as it did `before`; checks nothing where it showed none. */
export async function mustBeUnchanged(
  trial: Trial,
  before: FlowView | undefined,
  ...exchanges: Exchange[]
): Promise<void> {
  if (before === undefined) return;
  const evidence = exchanges.length > 0 ? exchanges : trial.last;
  const after = await readBack(trial, before.flowId);
  check(after !== undefined, "the flow as it was before", "no flow any more", ...evidence);
  const other = statedFields.filter((name) => after?.[name] !== before[name]);
  const [field] = other;
  if (field === undefined) return;
  const found = { expected: "the flow as it was before", actual: `another ${other.join(", ")}`, exchanges: evidence };
  throw failureOf(withValues(found, field, before[field], after?.[field]));
}

/** Checks a field of a flow in each view of it: in the answer and in get_flow. Not applicable where none shows it. */
export async function mustShow(
  trial: Trial,
  exchange: Exchange,
  flowId: string,
  field: "goal" | "controllerId",
  expected: string,
): Promise<void> {
  const views = [shownIn(exchange, flowId), await readBack(trial, flowId)];
  const shown = views.map((view) => view?.[field]).filter((value) => value !== undefined);
  if (shown.length === 0) throw new NotApplicable(`no view of a flow shows its ${field}`);
  const other = shown.find((value) => value !== expected);
  if (other === undefined) return;
  const found = { expected: `the ${field} that was sent`, actual: `another ${field}`, exchanges: [exchange] };
  throw failureOf(withValues(found, field, expected, other));
}

/** Fails where list_flows shows the goal of a create_flow that was not to be carried out, by what became of it: "refused". */
export async function mustNotBeCreated(trial: Trial, goals: Readonly<Record<string, string>>): Promise<void> {
  const whole = `whole ${randomUUID()}`;
  mustTakeTwin(await trial.post(createFlow(whole)));
  const list = mustHelp(await trial.post({ action: "list_flows" }), "list_flows");
  const text = resultText(list);
  if (!text.includes(whole)) throw new NotApplicable("list_flows does not show a flow's goal");
  for (const [what, goal] of Object.entries(goals))
    check(!text.includes(goal), `no flow of the request that was ${what}`, "one", list);
}

/** The status that get_flow shows now. Not applicable where it shows none. */
export async function statusOf(trial: Trial, flowId: string): Promise<string> {
  const status = (await readBack(trial, flowId))?.["status"];
  if (typeof status === "string") return status;
  throw new NotApplicable("get_flow does not show a flow's status");
}

export async function sendCancel(trial: Trial, flowId: string): Promise<Exchange> {
  return mustUnderstand(await trial.post(cancelFlow(flowId, trial.profile.fields)), "cancel_flow");
}

/** A target completes what it has accepted within this time, ms. */
export const SETTLING_MS = 5000;

/**
 * An id that no flow has, in the shape of one that a flow has: a target may refuse other shapes before it looks. A short
 * id whose only digits are at its end may be a counter: these become a nine-digit number, which fits into 32 bits.
 */
export function absentId(flowId: string): string {
  const [, figures = ""] = /^\D*(\d{1,8})$/.exec(flowId) ?? [];
  if (flowId.length < 16 && figures !== "") return `${flowId}${"0".repeat(9 - figures.length)}`;
  const tail = flowId.slice(-8);
  const mirrored = tail.split("").toReversed().join("");
  return flowId.slice(0, -8) + (mirrored === tail ? "0".repeat(tail.length) : mirrored);
}
