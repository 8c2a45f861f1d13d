/**
 * What one target holds, as far as its responses show: flows by the names of a story, each with its state by the model.
 * Plain data that the judge reads and updates. It lives for one story, so a story contains all that led to a departure.
 */
import type { FlowView } from "../harness/checks.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import { mayChangeByItself, newFlow, type FlowState } from "../interface/flow-model.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Reference, RouteName } from "../story/story.ts";
import type { Expected, ViewRules } from "./flow-views.ts";
import { Learned } from "./learned.ts";
import { oddRevision } from "./odd-revisions.ts";
import type { Sent, TimeSpan } from "./response.ts";
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
  /** A read did not show its revision either. */
  hidesRevision: boolean;
  /** Earlier revisions, the oldest first. */
  readonly past: number[];
  /** While `revision` is undefined: the last one shown, where the last request may have left it as it was. */
  tentative: number | undefined;
  readonly expected: Expected;
  readonly taskIds: (string | undefined)[];
  /** Each of its tasks was started with status running: whatever is active is running. */
  allRunning: boolean;
  /** The last run_task was refused. */
  taskRefused: boolean;
  /** When it was changed last. */
  updated: TimeSpan;
}

export interface World extends ViewRules {
  readonly flows: Map<string, KnownFlow>;
  /** The names of flows by their ids. */
  readonly names: Map<string, string>;
  /** The sessions of all flows, those of earlier stories too: none may be shown in another session. */
  readonly owners: Map<string, string>;
  /** What `owners` calls the two sessions of this story. */
  readonly sessions: Readonly<Record<SessionName, string>>;
  readonly visits: Visits;
  /** Operations that cannot be stored now. */
  failing: readonly string[];
  /** After a departure from a clause that is not judged, what the target holds is unknown. */
  isLost: boolean;
}

interface WorldOptions extends Pick<World, "owners" | "sessions"> {
  readonly profile: Profile;
  /** The clauses judged; all of them if undefined. */
  readonly clauses?: readonly ClauseId[] | undefined;
}

export function newWorld({ profile: { gaps, fields }, owners, sessions, clauses }: WorldOptions): World {
  const rules: ViewRules = { gaps, fields, clauses, learned: new Learned(), shows: new Set() };
  const flows = new Map<string, KnownFlow>();
  return { ...rules, flows, names: new Map(), owners, sessions, visits: new Visits(), failing: [], isLost: false };
}

/** The current value of a reference; undefined if there is none. */
export function lookUp({ flows, sessions }: World, reference: Reference): unknown {
  if (reference.$flow !== undefined) return flows.get(reference.$flow)?.flowId;
  const { $sessionKey: route, as } = reference;
  if (route !== undefined) return `${sessions[sessionOf(route)]}${as === undefined ? "" : `-${as}`}`;
  if (reference.$revision === undefined) return undefined;
  const { revision, past = [] } = flows.get(reference.$revision) ?? {};
  if (revision === undefined) return undefined;
  if (reference.as !== undefined) return oddRevision(reference.as, revision);
  if (reference.at === undefined || reference.at === "current") return revision;
  const { by = 1 } = reference;
  return reference.at === "future" ? revision + by : (past.at(-by) ?? past[0]);
}

export const flowsOf = ({ flows }: World, session: SessionName): KnownFlow[] =>
  [...flows.values()].filter((flow) => flow.session === session);

/** The flow that a request is about. */
export function flowIn({ names, flows, fields }: World, body: Sent["body"]): KnownFlow | undefined {
  const { getFlowId, summaryFlowId, cancelFlowId, resolveToken } = fields;
  for (const field of ["flowId", getFlowId, summaryFlowId, cancelFlowId, resolveToken]) {
    const name = names.get(body[field] as string);
    if (name !== undefined) return flows.get(name);
  }
  return undefined;
}

/** True of the id of a flow that is known to be of another session. */
export function isForeign({ owners, sessions }: World, session: SessionName, flowId: unknown): boolean {
  return (owners.get(flowId as string) ?? sessions[session]) !== sessions[session];
}

export function addFlow(world: World, view: FlowView, { step: { as, route }, body, at }: Sent): KnownFlow {
  const name = as ?? `unnamed ${world.flows.size}`;
  const flow: KnownFlow = {
    name,
    flowId: view.flowId,
    session: sessionOf(route),
    state: newFlow(body["status"] === "queued" ? "queued" : "begun"),
    revision: view.revision,
    hidesRevision: false,
    past: [],
    tentative: undefined,
    expected: new Map(),
    taskIds: [],
    allRunning: true,
    taskRefused: false,
    updated: at,
  };
  world.owners.set(view.flowId, world.sessions[flow.session]);
  world.flows.set(name, flow);
  world.names.set(view.flowId, name);
  return flow;
}

/** Marks the revision as a past one; the next view shows the new one, or with `tentative` possibly still this one. */
export function outdate(flow: KnownFlow, tentative = false): void {
  if (flow.revision !== undefined) flow.past.push(flow.revision);
  flow.tentative = tentative ? (flow.revision ?? flow.tentative) : undefined;
  flow.revision = undefined;
}

export const isLoose = ({ gaps }: Pick<World, "gaps">, { state }: KnownFlow): boolean => mayChangeByItself(state, gaps);
