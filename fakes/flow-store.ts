/** The records of the in-memory runtime, and the few functions that read and write them. */
import type { Clock, FlowRecord, TaskRecord } from "../plugin/ports.ts";

/** Planted in every record; one of them in a response is a leak. */
export const canaries = ["canary-requester-origin-5e1f", "canary-requester-session-5e1f"] as const;

export const flowStatuses = ["queued", "running", "waiting", "blocked", "finished", "failed", "cancelled"] as const;
export const taskStatuses = ["queued", "running", "succeeded", "failed", "timed_out", "cancelled", "lost"] as const;
export const persistedOperations = ["create", "update", "task", "cancel"] as const;

export type FlowStatus = (typeof flowStatuses)[number];
export type TaskStatus = (typeof taskStatuses)[number];
export type PersistedOperation = (typeof persistedOperations)[number];

/** A record as stored, session metadata included. */
export interface KeptRecord extends FlowRecord {
  requesterSessionKey: string;
}

export interface KeptFlow {
  record: KeptRecord;
  /** `cancel` was called; the flow waits for its last active child task. */
  cancelPending: boolean;
  tasks: TaskRecord[];
}

/**
 * What the runtime checks by itself beside ownership and revision. `bare`, as every observed gateway: that a flow which is
 * cancelled or gets a task has not ended, nothing of any other change. `checking`: the states of the interface, too.
 */
export const runtimeKinds = ["bare", "checking"] as const;
export type RuntimeKind = (typeof runtimeKinds)[number];

/** What the bare runtime carried out although the interface has it refused: the plugin has to check this. */
export interface Left {
  readonly flowId: string;
  readonly action: string;
  readonly check: "status" | "revision" | "runtime" | "running fields";
}

/** Only the last entries are kept, since a gateway may run for long. */
const MOST_LEFT = 1000;

export interface Store {
  readonly kind: RuntimeKind;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly flows: Map<string, KeptFlow>;
  /** The flows of each session, in order of creation. */
  readonly sessions: Map<string, KeptFlow[]>;
  /** The operations that fail to persist now. */
  failing: ReadonlySet<PersistedOperation>;
  readonly left: Left[];
  lastWriteAt: number;
}

const terminal: ReadonlySet<string> = new Set(["finished", "succeeded", "failed", "cancelled"]);

export const isTerminal = (record: FlowRecord): boolean => terminal.has(record.status);

/** The status after `finish`: observed gateways have a name of their own. */
export const finishedIn = ({ kind }: Store): string => (kind === "bare" ? "succeeded" : "finished");

export function noteLeft({ left }: Store, entry: Left): void {
  if (left.push(entry) > MOST_LEFT) left.shift();
}

/** No two writes have the same time, or "updated last" would say nothing while a driven clock stands still. */
function timeOfWrite(store: Store): number {
  store.lastWriteAt = Math.max(store.clock.now(), store.lastWriteAt + 1);
  return store.lastWriteAt;
}

export function isActive(task: TaskRecord): boolean {
  return task.status === "queued" || task.status === "running";
}

export function flowsOf({ sessions }: Store, sessionKey: string): KeptFlow[] {
  const flows = sessions.get(sessionKey) ?? [];
  sessions.set(sessionKey, flows);
  return flows;
}

/** The flow, unless it is absent or belongs to another session. */
export function ownedFlow(store: Store, sessionKey: string, flowId: string): KeptFlow | undefined {
  const flow = store.flows.get(flowId);
  return flow?.record.ownerKey === sessionKey ? flow : undefined;
}

/** A deep copy: a caller cannot change the stored record through it. */
export function copyFlow(record: KeptRecord): FlowRecord {
  const copy = { ...record };
  if (record.stateJson !== undefined) copy.stateJson = copyJson(record.stateJson);
  if (record.waitJson !== undefined) copy.waitJson = copyJson(record.waitJson);
  return copy;
}

/** A deep copy. `structuredClone` keeps an own key named `__proto__` (as JSON.parse gives it). */
function copyJson<T>(value: T): T {
  return typeof value === "object" && value !== null ? structuredClone(value) : value;
}

type NewFlow = Pick<FlowRecord, "ownerKey" | "syncMode" | "controllerId" | "status" | "notifyPolicy" | "goal">;

export function addFlow(store: Store, fields: NewFlow, changes: Changes = {}): KeptFlow {
  const now = timeOfWrite(store);
  const record: KeptRecord = {
    flowId: store.newId(),
    ...fields,
    revision: 0,
    createdAt: now,
    updatedAt: now,
    requesterOrigin: canaries[0],
    requesterSessionKey: canaries[1],
  };
  if (isTerminal(record)) record.endedAt = now;
  const flow: KeptFlow = { record: patched(record, changes, []), cancelPending: false, tasks: [] };
  store.flows.set(record.flowId, flow);
  flowsOf(store, record.ownerKey).push(flow);
  return flow;
}

/** Undefined leaves a field as it is; null clears a text. */
export type Changes = {
  [Field in keyof FlowRecord]?: FlowRecord[Field] | null | undefined;
};

export type ClearedField = "waitJson" | "blockedTaskId" | "blockedSummary";

/** Applies one change to the record that was checked: revision +1. Copies are made before anything is stored. */
export function writeFlow(
  store: Store,
  flow: KeptFlow,
  seen: KeptRecord,
  changes: Changes,
  cleared: readonly ClearedField[] = [],
): FlowRecord {
  const now = timeOfWrite(store);
  const record = { ...patched(seen, changes, cleared), revision: seen.revision + 1, updatedAt: now };
  if (isTerminal(record)) {
    record.endedAt = now;
    flow.cancelPending = false;
  } else delete record.endedAt;
  flow.record = record;
  return copyFlow(record);
}

const jsonFields = new Set(["stateJson", "waitJson"]);

function patched(record: KeptRecord, changes: Changes, cleared: readonly ClearedField[]): KeptRecord {
  const next = { ...record };
  for (const field of cleared) delete next[field];
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (value === null && !jsonFields.has(field)) Reflect.deleteProperty(next, field);
    else Object.assign(next, { [field]: copyJson(value) });
  }
  return next;
}
