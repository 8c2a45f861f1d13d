/**
 * Two answers of the run do not contradict each other: a flow that nobody has changed meanwhile is shown as before. And none
 * shows a flow that another session has created, whichever case asks, and however many there are.
 */
import { actions, type ActionName } from "../interface/fields.ts";
import type { Case } from "../harness/case.ts";
import { flowsOf, isShownAs, partsIn, type FlowView } from "../harness/checks.ts";
import type { Finding } from "../harness/finding.ts";
import type { WatchedExchange, WatchedRequest, Watcher } from "../harness/watcher.ts";
import { bodyFields, describe, isAccepted, type Exchange } from "../http/exchange.ts";
import { changeActions } from "../interface/flow-model.ts";
import { membersOf } from "../http/members.ts";
import { perServer } from "../targets/per-server.ts";
import { isSameText } from "../oracle/flow-views.ts";
import { steady } from "../harness/open-values.ts";
import { tour } from "./tour.ts";

/** Flows that are remembered of one server; a case may create thousands. */
const MAX_FLOWS = 2000;
/** A longer body is padded, or refused for its length. */
const MAX_BODY_BYTES = 32 * 1024;

/** What a view may not show otherwise as long as nobody changes the flow. Times and counters of children may move. */
const STEADY = ["revision", "status", "goal", "controllerId", "notifyPolicy", "currentStep", "stateJson", "waitJson"];

/** Fields that no action changes: they are the same for as long as the flow exists. */
const CONSTANT = ["goal", "controllerId"];

const EXPECTED = "a flow that nobody has changed shown as before, and no revision again that another has replaced";

interface Known {
  /** As the last answer showed it, and when that request was sent and answered. */
  view: FlowView;
  sent: number;
  answered: number;
  /** Revisions that a later one has replaced. */
  readonly past: Set<number>;
  /** Requests that may change it and have no answer: it may change at any moment. */
  open: number;
  /** When the last of them was answered, without an answer that shows the flow. */
  settled: number;
  /** It may change by itself, or by requests that were sent before it was known. */
  restless: boolean;
}

interface Change {
  readonly action: ActionName | undefined;
  readonly flows: readonly Known[];
  readonly goals: readonly string[];
  /** The status that it leads to, where the interface names it. */
  readonly status: string | undefined;
}

const NO_CHANGE: Change = { action: undefined, flows: [], goals: [], status: undefined };

/** Actions after which a flow may change by itself. */
const RESTLESS: readonly ActionName[] = ["run_task", "cancel_flow", "request_cancel"];

/** The status that an accepted change leads to; none is stated of set_waiting with what may block the flow. */
function statusAfter(action: ActionName | undefined, [body]: readonly unknown[]): string | undefined {
  if (action === "finish_flow") return "finished";
  if (action === "fail_flow") return "failed";
  const mayBlock = Object.keys(body ?? {}).some((name) => /block/i.test(name));
  return action === "set_waiting" && !mayBlock ? "waiting" : undefined;
}

/** The values of a body; of names that stand twice both, as a server may take either. */
function valuesIn(body: Uint8Array): readonly unknown[] {
  if (body.byteLength > MAX_BODY_BYTES) return [];
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [value];
    const members = membersOf(text, value);
    return members.length === Object.keys(value).length ? [value] : members.map(([name, item]) => ({ [name]: item }));
  } catch {
    return [];
  }
}

/** A field of what may be a body. */
const fieldIn = (value: unknown, name: "action" | "goal"): unknown =>
  (value as Readonly<Record<string, unknown>> | null)?.[name];

/** The action that a body asks for, where it is one of the 13. */
function actionIn(value: unknown): ActionName | undefined {
  const action = fieldIn(value, "action");
  return typeof action === "string" && Object.hasOwn(actions, action) ? (action as ActionName) : undefined;
}

/** The goals that a body gives, whatever it asks for: where a name stands twice each of them. */
const goalsIn = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => fieldIn(value, "goal")).filter((goal) => typeof goal === "string");

/** A goal that no earlier run on the same store can have used holds a random id. */
const isOfThisRun = (goal: string): boolean => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(goal);

/** Compares plain goals only: the cases about goals judge how others are shown. */
const isOther = (given: string, shown: unknown): boolean =>
  /^[\w ]{1,200}$/.test(given) && typeof shown === "string" && shown !== given.trim() && shown !== given;

const isRefused = ({ answer }: Exchange): boolean =>
  answer !== undefined && answer.status >= 400 && answer.status < 500;

/** What became of the create_flows with one goal. `open`: those without an answer yet, and those that were sent as bytes. */
interface Creations {
  open: number;
  refused: boolean;
  accepted: boolean;
}

class Flows {
  readonly #flows = new Map<string, Known>();
  /** By their place in the run. One that is sent as bytes has no answer here: its flows are not compared again. */
  readonly #open = new Map<number, Change>();
  readonly #creations = new Map<string, Creations>();

  #creationsOf(goal: string): Creations {
    const known = this.#creations.get(goal);
    // A goal that may have been forgotten counts as accepted before, so nothing is judged of it.
    const made = known ?? { open: 0, refused: false, accepted: this.#creations.size >= MAX_FLOWS };
    if (known === undefined && !made.accepted) this.#creations.set(goal, made);
    return made;
  }

  /** Whether all that have named this goal were refused. */
  #areRefused(goal: unknown): boolean {
    const { open = 1, refused, accepted } = (typeof goal === "string" && this.#creations.get(goal)) || {};
    return refused === true && accepted === false && open === 0 && isOfThisRun(String(goal));
  }

  /** A request goes out. One that may change a flow names it somewhere, or creates it. */
  request({ request, order }: WatchedRequest): void {
    const values = valuesIn(request.body);
    const action = values.length === 1 ? actionIn(values[0]) : undefined;
    if (action !== undefined && actions[action].effect === "reads") return;
    const goals = goalsIn(values);
    for (const goal of goals) this.#creationsOf(goal).open += 1;
    const flows = this.#namedIn(values);
    for (const known of flows) {
      known.open += 1;
      known.restless ||= action === undefined || RESTLESS.includes(action);
    }
    this.#open.set(order, { action, flows, goals, status: statusAfter(action, values) });
  }

  #namedIn(values: readonly unknown[]): Known[] {
    const named = new Set<Known>();
    for (const pair of partsIn(values))
      for (const part of pair) {
        const known = typeof part === "string" ? this.#flows.get(part.trim()) : undefined;
        if (known !== undefined) named.add(known);
      }
    return [...named];
  }

  exchange({ exchange, sent, order }: WatchedExchange): Finding | undefined {
    // A request without an answer may still be applied later.
    if (sent === 0 || exchange.answer === undefined) return undefined;
    const change = this.#open.get(sent) ?? NO_CHANGE;
    for (const creations of change.goals.map((goal) => this.#creationsOf(goal))) {
      creations.open -= 1;
      // After any answer but a plain refusal the request may have been carried out.
      creations[isRefused(exchange) ? "refused" : "accepted"] = true;
    }
    this.#open.delete(sent);
    for (const known of change.flows) known.open -= 1;
    const views = isAccepted(exchange) ? flowsOf(exchange) : [];
    const breaches = [
      this.#otherStatus(views, sent, change),
      this.#notNew(views, sent, change),
      ...views.map((view) => this.#shown(view, { sent, answered: order }, change)),
    ];
    for (const known of change.flows) if (known.answered !== order) known.settled = order;
    return breaches.find((breach) => breach !== undefined);
  }

  /** Section 3 names the status that a change leads to; its answer shows that, unless something else may have changed the flow. */
  #otherStatus(views: readonly FlowView[], sent: number, { action, flows, status }: Change): Finding | undefined {
    const isAlone = flows.every((one) => !one.restless && one.open === 0 && one.settled < sent && one.answered < sent);
    const shown = isAlone && flows.length === 1 && views.length === 1 ? views[0]?.["status"] : undefined;
    if (status === undefined || typeof shown !== "string" || shown === status) return undefined;
    return { expected: `status: ${status}`, actual: `${steady(shown, "another status")} after ${action}` };
  }

  /** Each accepted create_flow makes a flow of its own, with the goal that it was given. */
  #notNew([view, ...more]: readonly FlowView[], sent: number, { action, goals }: Change): Finding | undefined {
    if (action !== "create_flow" || view === undefined || more.length > 0) return undefined;
    if (goals.some((given) => isOther(given, view.goal)))
      return { expected: "the new flow with the goal that it was given", actual: "another goal" };
    const known = this.#flows.get(view.flowId);
    if (known === undefined || known.answered >= sent) return undefined;
    return { clause: "STATE-CREATE", expected: "a new flow", actual: "one that was there before" };
  }

  /** Takes what an accepted answer shows. */
  #shown(whole: FlowView, when: Pick<Known, "sent" | "answered">, change: Change): Finding | undefined {
    const { flowId, revision, goal } = whole;
    if (this.#areRefused(goal))
      return { expected: "no flow with a goal that only refused create_flows have named", actual: "such a flow" };
    const view = { flowId, revision, ...fieldsOf(whole, STEADY) };
    const known = this.#flows.get(flowId);
    if (known === undefined) {
      const [oldest = ""] = this.#flows.keys();
      if (this.#flows.size >= MAX_FLOWS) this.#flows.delete(oldest);
      const restless = change.action !== "create_flow";
      this.#flows.set(flowId, { view, ...when, past: new Set(), open: 0, settled: 0, restless });
      return undefined;
    }
    const other = differenceOf(known.view, view, CONSTANT);
    // Sent while the other one was on its way: either may have come first.
    if (other !== undefined || when.sent < known.answered) return other;
    if (known.past.has(view.revision)) return { expected: EXPECTED, actual: "a revision that was replaced before" };
    const before = known.view;
    if (before.revision !== view.revision) known.past.add(before.revision);
    const isSteady = !known.restless && known.open === 0 && known.settled <= known.sent;
    Object.assign(known, { view: { ...fieldsOf(before, CONSTANT), ...view }, ...when });
    return isSteady && !change.flows.includes(known) ? differenceOf(before, view, STEADY) : undefined;
  }
}

/** A flow may be one of thousands, and a target may show any amount of other things. */
function fieldsOf(view: FlowView, names: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(view, name)) fields[name] = view[name];
  return fields;
}

function differenceOf(before: FlowView, view: FlowView, names: readonly string[]): Finding | undefined {
  const field = names.find((name) => {
    if (!Object.hasOwn(before, name) || !Object.hasOwn(view, name)) return false;
    const [was, is] = [before[name], view[name]];
    return was !== is && !isSameText(was, is) && !isShownAs(was, is);
  });
  return field === undefined ? undefined : { expected: EXPECTED, actual: `another ${field}` };
}

function watchFlows(): Watcher {
  const flowsOfServer = perServer(() => new Flows());
  return {
    request: (request) => flowsOfServer(request.server).request(request),
    exchange: (exchange) => flowsOfServer(exchange.server).exchange(exchange),
  };
}

const MAX_OWNED = 20_000;

function watchOwners(): Watcher {
  const knownOf = perServer(({ configuration: { routes } }) => ({
    sessions: new Map([...routes.values()].map(({ path, sessionKey }) => [path, sessionKey])),
    owners: new Map<string, string>(),
  }));
  return {
    exchange({ server, exchange }) {
      const { sessions, owners } = knownOf(server);
      const session = sessions.get(exchange.request.path);
      if (session === undefined) return undefined;
      // A refusal may show the flow as it is now.
      const flows = flowsOf(exchange);
      const isForeign = (flowId: unknown) => (owners.get(String(flowId)) ?? session) !== session;
      if (flows.some(({ flowId }) => isForeign(flowId)))
        return { expected: "flows of the route's own session only", actual: "a flow of another session" };
      if (exchange.answer?.status === 401 && flows.length > 0)
        return { expected: "no flow for a caller without the secret", actual: "a flow" };
      if (!isAccepted(exchange)) return undefined;
      // The answer need not show the flow.
      const { action, flowId: named } = bodyFields(exchange.request);
      if (changeActions.some((one) => one === action) && isForeign(named))
        return { expected: "a change of another session's flow refused", actual: describe(exchange) };
      for (const { flowId } of flows) if (owners.size < MAX_OWNED) owners.set(flowId, session);
      return undefined;
    },
  };
}

export const flowRules: readonly Case[] = [
  {
    id: "NEVER-CONTRADICTS",
    title: "No answer about a flow contradicts an earlier one, or the change that it answers",
    clauses: ["REVISION-ADVANCES", "FLOW-IDENTITY", "STATE-CREATE", "STATE-SET-WAITING", "STATE-FINISH", "STATE-FAIL"],
    reading:
      "What the answer to a change shows (revision, status, goal, stored data) is what the next read shows, whichever " +
      "action reads. A flow with children or a requested cancellation may change by itself; but its goal and controllerId " +
      "stay, and a revision that another has replaced is stale: no flow has it again.",
    ...tour,
    watch: watchFlows,
  },
  {
    id: "NEVER-FOREIGN-FLOWS",
    title: "No answer shows a flow of another session, or says that it was changed",
    clauses: ["SESSION-BOUND"],
    reading:
      "A flow belongs to the session of the route that showed it first, which is mostly the one that created it. A key is a " +
      "text that identifies its session by the whole of it (sections 1 and 5); a controllerId, which routes of other " +
      "sessions may share, identifies none. A refusal may show the flow as it is now, and a 401 none.",
    ...tour,
    watch: watchOwners,
  },
];
