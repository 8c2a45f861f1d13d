/**
 * What one target holds, as far as its responses show: flows by the names of a story, each with its state by the model.
 * Plain data that the judge reads and updates. It lives for one story, so a story contains all that led to a departure.
 */
import type { FlowView } from "../harness/checks.ts";
import { isEnded, mayChangeByItself, newFlow, type FlowState } from "../interface/flow-model.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Reference, RouteName } from "../story/story.ts";
import type { States } from "./flow-states.ts";
import type { ExpectedFields, ViewRules } from "./flow-views.ts";
import { Learned } from "./learned.ts";
import { oddRevision } from "./odd-revisions.ts";
import type { Sent, TimeSpan } from "./response.ts";

/** Routes of one session see the same flows. */
export type SessionName = "home" | "foreign";
export const sessionOf = (route: RouteName): SessionName => (route === "stranger" ? "foreign" : "home");

export class KnownFlow {
  readonly name: string;
  readonly flowId: string;
  readonly session: SessionName;
  states: States;
  /** All revisions that answers have shown. */
  readonly revisions: Set<number>;
  readonly expected: ExpectedFields = new Map();
  readonly taskIds: (string | undefined)[] = [];
  /** The requests that its tasks were started with. */
  readonly started: Readonly<Record<string, unknown>>[] = [];
  /** State and wait data of changes that were refused. */
  readonly refusedData: unknown[] = [];
  /** As it was shown last; undefined where that was before its last change. */
  view: FlowView | undefined;
  /** cancel_flow answered 200 while children were active: none of them may still be active. */
  mustHaveNoActive = false;
  /** The last run_task was refused. */
  taskRefused = false;
  /** When it was changed last. */
  updated: TimeSpan;

  constructor(name: string, view: FlowView, { step: { route }, body, at }: Sent) {
    this.name = name;
    this.flowId = view.flowId;
    this.session = sessionOf(route);
    const flow = newFlow(body["status"] === "queued" ? "queued" : "begun");
    this.states = [{ flow, revision: view.revision, isLater: false }];
    this.revisions = new Set([view.revision]);
    this.view = view;
    this.updated = at;
  }

  get state(): FlowState {
    return this.states[0].flow;
  }

  /** Undefined where the target has not shown it since the last change. */
  get revision(): number | undefined {
    const [{ revision }] = this.states;
    return this.states.every((one) => one.revision === revision && !one.isLater) ? revision : undefined;
  }
}

export type Met = "what could not be stored" | "orders beyond number";

export interface World extends ViewRules {
  readonly flows: Map<string, KnownFlow>;
  /** The sessions of all flows, those of earlier stories too: none may be shown in another session. */
  readonly owners: Map<string, string>;
  /** What `owners` calls the two sessions of this story. */
  readonly sessions: Readonly<Record<SessionName, string>>;
  /** What the story has met, of that which a property is nothing without. */
  readonly met: Set<Met>;
  /** Operations that cannot be stored now. */
  failing: readonly string[];
  /** Flows of earlier stories that find_latest_flow gave, each at its revision: none of them may be the latest again. */
  readonly strays: Set<string>;
}

/** What is known of a target beyond one story: whose flows it holds, its own rules, and what its views show. */
export type Memory = Pick<World, "owners" | "learned" | "shows" | "strays">;

export const newMemory = (): Memory => ({
  owners: new Map(),
  learned: new Learned(),
  shows: new Set(),
  strays: new Set(),
});

interface WorldOptions extends Pick<World, "sessions">, Partial<Memory> {
  readonly profile: Pick<Profile, "gaps" | "fields">;
}

export function newWorld({ profile: { gaps, fields }, ...known }: WorldOptions): World {
  return { ...newMemory(), ...known, flows: new Map(), met: new Set(), failing: [], gaps, fields };
}

/** The current value of a reference; undefined if there is none. */
export function lookUp({ flows, sessions }: World, reference: Reference): unknown {
  if (reference.$flow !== undefined) return flows.get(reference.$flow)?.flowId;
  const { $sessionKey: route, as } = reference;
  if (route !== undefined) return `${sessions[sessionOf(route)]}${as === undefined ? "" : `-${as}`}`;
  if (reference.$revision === undefined) return undefined;
  const { revision, revisions } = flows.get(reference.$revision) ?? {};
  if (revision === undefined) return undefined;
  if (reference.as !== undefined) return oddRevision(reference.as, revision);
  if (reference.at === undefined || reference.at === "current") return revision;
  const { by = 1 } = reference;
  if (reference.at === "future") return revision + by;
  const past = [...(revisions ?? [])].filter((one) => one < revision).toSorted((a, b) => a - b);
  return past.at(-by) ?? past[0];
}

export const flowsOfSession = ({ flows }: World, session: SessionName): KnownFlow[] =>
  [...flows.values()].filter((flow) => flow.session === session);

/** Flows of a session that may be open still: those of other stories, and those of this one that have not ended. */
export function openFlowsOf({ owners, flows, sessions }: World, session: SessionName): number {
  const ended = new Set([...flows.values()].filter(({ state }) => isEnded(state)).map(({ flowId }) => flowId));
  return [...owners].filter(([flowId, owner]) => owner === sessions[session] && !ended.has(flowId)).length;
}

/** The flow with this id, or with one of them. */
export const flowWith = ({ flows }: World, ...ids: unknown[]): KnownFlow | undefined =>
  [...flows.values()].find(({ flowId }) => ids.includes(flowId));

export function flowIn(world: World, body: Sent["body"]): KnownFlow | undefined {
  const { getFlowId, summaryFlowId, cancelFlowId, resolveToken } = world.fields;
  return flowWith(world, ...["flowId", getFlowId, summaryFlowId, cancelFlowId, resolveToken].map((name) => body[name]));
}

/** True of the id of a flow that is known to be of another session. */
export function isForeign({ owners, sessions }: World, session: SessionName, flowId: unknown): boolean {
  return (owners.get(flowId as string) ?? sessions[session]) !== sessions[session];
}

export function addFlow(world: World, view: FlowView, sent: Sent): KnownFlow {
  const flow = new KnownFlow(sent.step.as ?? `unnamed ${world.flows.size}`, view, sent);
  world.owners.set(view.flowId, world.sessions[flow.session]);
  world.flows.set(flow.name, flow);
  return flow;
}

export const isLoose = ({ gaps }: Pick<World, "gaps">, { state }: KnownFlow): boolean => mayChangeByItself(state, gaps);
