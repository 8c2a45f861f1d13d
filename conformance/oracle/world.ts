/**
 * What one target holds, as far as its responses show: flows by the names of a story, each with its state by the model.
 * Plain data that the judge reads and updates. It lives for one story, so a story contains all that led to a departure.
 */
import type { FlowView } from "../harness/checks.ts";
import { isEnded, mayChangeByItself, newFlow, type FlowState } from "../interface/flow-model.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Reference, RouteName } from "../story/story.ts";
import type { Departure } from "./departure.ts";
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
  /** The requests that its tasks were started with. */
  readonly started: Readonly<Record<string, unknown>>[];
  /** State and wait data of changes that were refused. */
  readonly refusedData: unknown[];
  /** The status that it was shown with last. */
  lastStatus: unknown;
  /** The fields that its last view showed as false. */
  unset: readonly string[];
  /** A cancel_flow of it was accepted and waits for nothing. */
  isCancelled: boolean;
  /** It was cancelled at once while children were active: none of them may be active any more. */
  mustHaveNoActive: boolean;
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
  /** Other cases use the session meanwhile. */
  readonly isShared: boolean;
  /** Their flows that find_latest_flow gave, each at its revision: none of them may be the latest again. */
  readonly strays: Set<string>;
  /** An answer was not as it should be, which may be another case's doing: what is wrong if it comes again and again. */
  disturbed: Departure | Stray | undefined;
}

/** A flow of no story of this case that find_latest_flow gave. */
export interface Stray {
  readonly flowId: string;
  readonly route: RouteName;
}

/** What is known of a target beyond one story: whose flows it holds, its own rules, and what its views show. */
export type Memory = Pick<World, "owners" | "learned" | "shows" | "strays">;

export const newMemory = (): Memory => ({
  owners: new Map(),
  learned: new Learned(),
  shows: new Set(),
  strays: new Set(),
});

interface WorldOptions
  extends Pick<World, "owners" | "sessions">, Partial<Pick<World, "learned" | "shows" | "strays" | "isShared">> {
  readonly profile: Pick<Profile, "gaps" | "fields">;
}

export function newWorld({ profile: { gaps, fields }, owners, sessions, ...known }: WorldOptions): World {
  const { learned = new Learned(), shows = new Set(), strays = new Set(), isShared = false } = known;
  const rules: ViewRules = { gaps, fields, learned, shows };
  const story = { flows: new Map<string, KnownFlow>(), names: new Map<string, string>(), visits: new Visits() };
  return { ...rules, ...story, owners, sessions, failing: [], isShared, strays, disturbed: undefined };
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

/** Flows of a session that may be open still: those of other stories, and those of this one that have not ended. */
export function openFlowsOf({ owners, names, flows, sessions }: World, session: SessionName): number {
  const ids = [...owners].filter(([, owner]) => owner === sessions[session]).map(([flowId]) => flowId);
  const isOver = (flowId: string) => {
    const flow = flows.get(names.get(flowId) ?? "");
    return flow !== undefined && isEnded(flow.state);
  };
  return ids.filter((flowId) => !isOver(flowId)).length;
}

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

/** The fields that a view shows as false. */
export const unsetIn = (view: FlowView): string[] => Object.keys(view).filter((field) => view[field] === false);

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
    started: [],
    refusedData: [],
    lastStatus: undefined,
    unset: unsetIn(view),
    isCancelled: false,
    mustHaveNoActive: false,
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
