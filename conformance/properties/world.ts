/**
 * What one target holds, as far as its answers tell: flows by the names of a story, their states by the model. It fills
 * requests in and judges answers. Nothing of it outlives one run, so a story tells everything that led to a finding.
 */
import { actions, type ActionName } from "../../fixtures/fields.ts";
import type { FlowView } from "../harness/checks.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import { mayChangeByItself, newFlow, settle, type FlowAction, type FlowState } from "../interface/flow-model.ts";
import type { Profile } from "../interface/gaps.ts";
import { absent, envelopeFault, mustRefuse, spoiltBy } from "./answers.ts";
import { finding, type Finding } from "./finding.ts";
import {
  seenAgain,
  seenChanged,
  seenConstant,
  statusOf,
  unseenChildren,
  watchedFields,
  type Expected,
  type ViewRules,
} from "./flow-views.ts";
import { Learned } from "./learned.ts";
import { oddRevision } from "./odd-revisions.ts";
import { judgeOperation } from "./operations.ts";
import { judgeRead } from "./reads.ts";
import { printOf, type Said } from "./said.ts";
import type { Reference, RouteName, SendStep } from "../story/story.ts";
import { taskVerdict } from "./task-rules.ts";
import { Visits } from "./visits.ts";

/** Routes of one session see the same flows. */
export type SessionName = "home" | "foreign";
export const sessionOf = (route: RouteName): SessionName => (route === "stranger" ? "foreign" : "home");

export interface KnownFlow {
  readonly name: string;
  readonly flowId: string;
  readonly session: SessionName;
  state: FlowState;
  /** Undefined where the target has not shown it since the last change. */
  revision: number | undefined;
  /** Revisions that it had before, the oldest first. */
  readonly past: number[];
  /** While `revision` is undefined: the last one that was shown, where nothing says that it is another one now. */
  perhaps: number | undefined;
  readonly expected: Expected;
  readonly taskIds: (string | undefined)[];
  /** Each of its tasks was started with status running: whatever is active is running. */
  allRunning: boolean;
  /** The last run_task was refused. */
  taskRefused: boolean;
  /** Between these moments of the target's clock it was changed last, ms. */
  updated: { from: number; to: number };
}

/** A request about to be judged: as it was filled in, and when it was sent and answered, ms. */
export interface Sent {
  readonly step: SendStep;
  readonly routeId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: { readonly from: number; readonly to: number };
}

export interface WorldOptions {
  readonly profile: Profile;
  /** Sessions of flows that earlier runs made: none may be shown in another session. */
  readonly owners: Map<string, string>;
  /** Departures from other clauses are left to other cases; undefined where all count. */
  readonly clauses?: readonly ClauseId[] | undefined;
  /** What `owners` calls the two sessions of this run. */
  readonly sessions: Readonly<Record<SessionName, string>>;
}

export const flowActions = new Set<string>([
  "set_waiting",
  "resume_flow",
  "finish_flow",
  "fail_flow",
  "request_cancel",
  "cancel_flow",
  "run_task",
]);

const createFields = new Set(["action", "goal", "status", "notifyPolicy"]);

export class World {
  readonly flows = new Map<string, KnownFlow>();
  readonly names = new Map<string, string>();
  readonly rules: ViewRules;
  readonly visits = new Visits();
  readonly options: WorldOptions;
  /** Operations that cannot be stored now. */
  failing: readonly string[] = [];
  /** After a departure that does not count it is not known any more what the target holds. */
  isLost = false;

  constructor(options: WorldOptions) {
    this.options = options;
    const { gaps, fields } = options.profile;
    const { clauses } = options;
    const concerns = (clause: ClauseId) => clauses === undefined || clauses.includes(clause);
    const learned = new Learned();
    this.rules = { gaps, fields, learned, concerns, watched: watchedFields(fields), shows: new Set() };
  }

  get learned(): Learned {
    return this.rules.learned;
  }

  /** What a reference stands for now; undefined where nothing does. */
  lookUp = (reference: Reference): unknown => {
    if (reference.$flow !== undefined) return this.flows.get(reference.$flow)?.flowId;
    const { $sessionKey: route, as } = reference;
    if (route !== undefined) return `${this.options.sessions[sessionOf(route)]}${as === undefined ? "" : `-${as}`}`;
    if (reference.$revision === undefined) return undefined;
    const { revision, past = [] } = this.flows.get(reference.$revision) ?? {};
    if (revision === undefined) return undefined;
    if (reference.as !== undefined) return oddRevision(reference.as, revision);
    if (reference.at === undefined || reference.at === "current") return revision;
    const { by = 1 } = reference;
    return reference.at === "future" ? revision + by : (past.at(-by) ?? past[0]);
  };

  /** Judges an answer and takes in what it tells. */
  judge(sent: Sent, said: Said): Finding | undefined {
    const { concerns } = this.rules;
    const shape = envelopeFault(sent, said);
    if (shape !== undefined && concerns(shape.clause)) return shape;
    const found = this.#foreignView(sent, said) ?? this.#judgeAction(sent, said);
    if (found === undefined || concerns(found.clause)) return found;
    this.isLost = true;
    return undefined;
  }

  #judgeAction(sent: Sent, said: Said): Finding | undefined {
    const { action } = sent.body;
    const spoilt = spoiltBy(sent);
    if (spoilt !== undefined) return mustRefuse(spoilt, said);
    if (typeof action !== "string" || !Object.hasOwn(actions, action)) return undefined;
    if (action === "create_flow") return this.#created(sent, said);
    const flow = this.#flowOf(sent.body);
    if (!flowActions.has(action)) return judgeRead(this, action as ActionName, flow, sent, said);
    if (flow === undefined || flow.session !== sessionOf(sent.step.route)) {
      const rule = action === "run_task" ? taskVerdict(sent.body, this.rules.gaps) : undefined;
      const wrong = flow === undefined && rule?.kind === "wrong" && !said.accepted;
      return wrong ? undefined : absent(action, flow, said);
    }
    return judgeOperation(this, action as FlowAction, flow, sent, said);
  }

  #flowOf(body: Readonly<Record<string, unknown>>): KnownFlow | undefined {
    const { getFlowId, summaryFlowId, cancelFlowId, resolveToken } = this.rules.fields;
    for (const field of ["flowId", getFlowId, summaryFlowId, cancelFlowId, resolveToken]) {
      const name = this.names.get(body[field] as string);
      if (name !== undefined) return this.flows.get(name);
    }
    return undefined;
  }

  /** No answer shows a flow of another session. */
  #foreignView({ step: { route } }: Sent, { views }: Said): Finding | undefined {
    const { owners, sessions } = this.options;
    const own = sessions[sessionOf(route)];
    const stray = views.find(({ flowId }) => (owners.get(flowId) ?? own) !== own);
    return stray && finding("SESSION-BOUND", "flows of the route's own session only", "a flow of another session");
  }

  #created({ step: { as, route }, body, at }: Sent, said: Said): Finding | undefined {
    this.visits.add("create_flow", "session");
    const [view] = said.views;
    const clause = "STATE-CREATE";
    if (this.failing.includes("create")) {
      return said.accepted ? finding("ERROR-PERSIST", "a refusal: nothing can be stored", printOf(said)) : undefined;
    }
    if (!said.accepted) {
      // A target may not take fields that the interface does not give.
      const open = Object.keys(body).filter((field) => !createFields.has(field));
      const refusal = open.length > 0 && said.status >= 400;
      if (refusal && this.learned.holds(`takes create_flow with ${open.toSorted().join(", ")}`, "no")) return undefined;
      return finding(clause, "create_flow accepted", printOf(said));
    }
    if (view === undefined) return finding("FLOW-IDENTITY", "a flow with flowId and revision in the result", "none");
    const { owners, sessions } = this.options;
    if (owners.has(view.flowId))
      return finding("FLOW-IDENTITY", "a flowId that no other flow has", "one that is taken");
    const state = newFlow(body["status"] === "queued" ? "queued" : "begun");
    const name = as ?? `unnamed ${this.flows.size}`;
    const flow: KnownFlow = {
      name,
      flowId: view.flowId,
      session: sessionOf(route),
      state,
      revision: view.revision,
      past: [],
      perhaps: undefined,
      expected: new Map(),
      taskIds: [],
      allRunning: true,
      taskRefused: false,
      updated: at,
    };
    owners.set(view.flowId, sessions[flow.session]);
    this.flows.set(name, flow);
    this.names.set(view.flowId, name);
    return seenChanged(view, { action: "create_flow", clause, sent: body, to: state }, flow.expected, this.rules);
  }

  /** Takes a revision for the flow's new one: it may not have had it before. */
  adopt(flow: KnownFlow, revision: number): Finding | undefined {
    if (flow.revision === undefined && flow.perhaps === revision) {
      flow.past.pop();
      flow.revision = revision;
      return undefined;
    }
    if (flow.revision === revision || flow.past.includes(revision)) {
      return finding("REVISION-ADVANCES", "a revision that the flow did not have before", "an old revision");
    }
    const step = this.rules.gaps["flow.revision-step"];
    const last = flow.revision ?? flow.past.at(-1);
    this.outdated(flow);
    flow.revision = revision;
    if (last !== undefined && revision < last)
      return finding("REVISION-ADVANCES", "a later revision", "an earlier one");
    // A cancellation may be more than one change: that it is asked for, and that it is done.
    const isCancelled = flow.state.phase === "cancelled" || flow.state.pending || this.isLoose(flow);
    const steps = step === undefined || last === undefined || isCancelled || revision === last + step;
    return steps ? undefined : finding("STATE-DEFAULTS", `the revision ${step} on`, "another one");
  }

  /** The revision is one that the flow had; the next view shows the new one, or `perhaps` still this one. */
  outdated(flow: KnownFlow, perhaps = false): void {
    if (flow.revision !== undefined) flow.past.push(flow.revision);
    flow.perhaps = perhaps ? (flow.revision ?? flow.perhaps) : undefined;
    flow.revision = undefined;
  }

  /** Nothing was applied: what the answer shows of the flow is what it was. */
  unchanged(flow: KnownFlow, action: string, said: Said): Finding | undefined {
    const view = said.views.find(({ flowId }) => flowId === flow.flowId);
    return view && this.seen(flow, `${action} ${said.accepted ? "accepted" : "refused"}`, view);
  }

  /** Judges a view of a flow that nothing has changed since it was seen last. */
  seen(flow: KnownFlow, kind: string, view: FlowView): Finding | undefined {
    this.showsPhase(flow, view);
    if (this.isLoose(flow)) {
      const last = flow.revision ?? flow.past.at(-1);
      if (last !== undefined && view.revision < last)
        return finding("REVISION-ADVANCES", "a later revision", `an earlier one in ${kind}`);
      if (view.revision !== flow.revision) this.outdated(flow);
      flow.revision = view.revision;
      unseenChildren(flow.expected, this.rules.fields);
      return seenConstant(view, kind, flow.expected);
    }
    if (flow.revision === undefined) {
      const wrong = this.adopt(flow, view.revision);
      if (wrong !== undefined) return wrong;
    }
    if (view.revision !== flow.revision) {
      return finding("REVISION-UNCHANGED", "the flow's revision", `another revision in ${kind}`);
    }
    return seenAgain(view, kind, flow.expected, this.rules);
  }

  isLoose({ state }: KnownFlow): boolean {
    return mayChangeByItself(state, this.rules.gaps);
  }

  /** What a child or a cancellation made of its flow's phase is known once a view shows whether the flow waits. */
  showsPhase(flow: KnownFlow, { status }: FlowView): void {
    const { state } = flow;
    if (!state.stirred) return;
    const settled = { ...state, stirred: false };
    if (status === "waiting" || status === "blocked") flow.state = { ...settled, phase: status };
    else if (typeof status === "string" && state.phase !== "waiting" && state.phase !== "blocked") {
      const usual = statusOf(settled, this.rules);
      if (usual === undefined || usual === status) flow.state = settled;
    }
  }

  /** A child task has ended: what its flow may be now is seen by the next read. */
  settled(flow: KnownFlow, at: Sent["at"]): void {
    const [outcome, ...others] = settle(flow.state, this.rules.gaps);
    if (outcome?.to === undefined) return;
    flow.state = outcome.to;
    if (others.length === 0 && outcome.revision === "same") return;
    flow.updated = { from: flow.updated.from, to: at.to };
    // Where the profile says that this completes it, the next view shows it.
    const { "cancel.status": status } = this.rules.gaps;
    if (outcome.to.phase === "cancelled" && status !== undefined && flow.expected.has("status")) {
      flow.expected.set("status", status);
    } else unseenChildren(flow.expected, this.rules.fields);
    this.outdated(flow, outcome.revision !== "new");
  }
}
