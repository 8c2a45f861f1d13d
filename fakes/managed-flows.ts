/** The managedFlows runtime in memory: what a gateway passes to its plugins, with the levers that tests need. */
import { randomUUID } from "node:crypto";
import type { BoundFlows, Clock, FlowRecord, TaskRecord, TaskSummary } from "../plugin/ports.ts";
import * as operations from "./flow-operations.ts";
import type { Checked } from "./flow-operations.ts";
import {
  addFlow,
  copyFlow,
  finishedIn,
  isActive,
  ownedFlow,
  persistedOperations,
  sessionOf,
  taskStatuses,
  type FlowStatus,
  type KeptFlow,
  type Left,
  type PersistedOperation,
  type RuntimeKind,
  type Store,
  type TaskStatus,
} from "./flow-store.ts";

export { canaries, flowStatuses, persistedOperations, runtimeKinds, taskStatuses } from "./flow-store.ts";
export type { FlowStatus, PersistedOperation, RuntimeKind, TaskStatus } from "./flow-store.ts";

type Direct<Method> = Method extends (...input: infer Input) => infer Answer
  ? (...input: Input) => Exclude<Answer, Promise<unknown>>
  : Method;
type Promised<Method> = Method extends (...input: infer Input) => infer Answer
  ? (...input: Input) => Promise<Exclude<Answer, Promise<unknown>>>
  : Method;

/** A bound session that answers directly. */
export type DirectFlows = { [Name in keyof BoundFlows]: Direct<BoundFlows[Name]> };
/** A bound session that answers with promises. */
type AwaitedFlows = { [Name in keyof BoundFlows]: Promised<BoundFlows[Name]> };

export interface ManagedFlowsOptions {
  clock: Clock;
  /** What the runtime checks by itself; default `bare`. */
  kind?: RuntimeKind;
  /** Makes the id of a flow or a task; default random UUIDs. */
  ids?: () => string;
  /**
   * Awaited by the awaited runtime between the check of a change and its write, without a second check: simultaneous
   * changes of one revision can then all be applied, as in a store without transactions.
   */
  beforeWrite?: () => Promise<void>;
}

interface Seed {
  sessionKey: string;
  /** Default true. */
  managed?: boolean | undefined;
  /** Default `queued`. */
  status?: FlowStatus | undefined;
  goal?: string | undefined;
}

interface Settlement {
  flowId: string;
  taskId: string;
  status: TaskStatus;
}

export interface ManagedFlowsFake {
  readonly kind: RuntimeKind;
  readonly runtime: { bindSession(session: { sessionKey: string }): DirectFlows };
  readonly asyncRuntime: { bindSession(session: { sessionKey: string }): AwaitedFlows };
  /** Stores a flow in any session, bound or not. */
  seed(seed: Seed): FlowRecord;
  /** Changes the status of a child task; the last one to end completes a pending cancellation. Null: no such task. */
  settle(settlement: Settlement): TaskRecord | null;
  /** Sets the operations that from now on fail with `persist_failed` and change nothing; an empty list ends the fault. */
  failPersistence(operations: readonly PersistedOperation[]): void;
  /** The operations that fail now. */
  failing(): PersistedOperation[];
  /** What a bare runtime carried out that a checking one would have refused; the last 1,000. */
  readonly left: readonly Left[];
}

/** An empty runtime; its two forms share one store. */
export function createManagedFlows(options: ManagedFlowsOptions): ManagedFlowsFake {
  const store: Store = {
    kind: options.kind ?? "bare",
    clock: options.clock,
    newId: options.ids ?? randomUUID,
    flows: new Map(),
    sessions: new Map(),
    failing: new Set(),
    left: [],
    lastWriteAt: Number.NEGATIVE_INFINITY,
  };
  const { beforeWrite } = options;

  const runAwaited = async <Answer>(check: () => Checked<Answer>): Promise<Answer> => {
    const checked = check();
    if ("refusal" in checked) return checked.refusal;
    // `await undefined` would let other requests in between as well.
    if (beforeWrite !== undefined) await beforeWrite();
    return checked.write();
  };

  return {
    kind: store.kind,
    left: store.left,
    runtime: { bindSession: ({ sessionKey }) => bindDirect(store, sessionKey) },
    asyncRuntime: { bindSession: ({ sessionKey }) => bindAwaited(store, sessionKey, runAwaited) },
    seed: ({ sessionKey, managed = true, status = "queued", goal = "seeded" }) => {
      const flow = addFlow(store, {
        sessionKey,
        syncMode: managed ? "managed" : "task_mirrored",
        controllerId: "fakes/seed",
        status: status === "finished" ? finishedIn(store) : status,
        notifyPolicy: "done_only",
        goal,
      });
      return copyFlow(flow.record);
    },
    settle: (settlement) => settle(store, settlement),
    failPersistence: (failing) => {
      store.failing = new Set(failing);
    },
    failing: () => persistedOperations.filter((operation) => store.failing.has(operation)),
  };
}

function settle(store: Store, { flowId, taskId, status }: Settlement): TaskRecord | null {
  const flow = store.flows.get(flowId);
  const task = flow?.tasks.find((task) => task.taskId === taskId);
  if (flow === undefined || task === undefined) return null;
  const now = store.clock.now();
  task.status = status;
  task.lastEventAt = now;
  if (isActive(task)) {
    delete task.endedAt;
    task.startedAt ??= now;
  } else {
    task.endedAt = now;
  }
  operations.completePendingCancel(store, flow);
  return { ...task };
}

function runDirect<Answer>(checked: Checked<Answer>): Answer {
  return "refusal" in checked ? checked.refusal : checked.write();
}

// Closures, no `this`: gateways and plugins spread bindings and pass single methods on.
function bindDirect(store: Store, sessionKey: string): DirectFlows {
  const session = sessionOf(store, requireKey(sessionKey));
  const latest = (): FlowRecord | null => {
    const flow = latestOf(store, session.flows);
    return flow ? copyFlow(flow.record) : null;
  };
  const get = (flowId: string): FlowRecord | null => {
    const flow = ownedFlow(store, sessionKey, flowId);
    return flow ? copyFlow(flow.record) : null;
  };
  return {
    sessionKey,
    createManaged: (input) => persisted(runDirect(operations.create(store, sessionKey, input))),
    tryCreateManaged: (input) => runDirect(operations.create(store, sessionKey, input)),
    get,
    list: () => session.flows.map((flow) => copyFlow(flow.record)).toReversed(),
    findLatest: latest,
    resolve: (token) => get(token) ?? (token === sessionKey ? latest() : null),
    getTaskSummary: (flowId) => summarize(ownedFlow(store, sessionKey, flowId)?.tasks),
    setWaiting: (input) => runDirect(operations.setWaiting(store, sessionKey, input)),
    resume: (input) => runDirect(operations.resume(store, sessionKey, input)),
    finish: (input) => runDirect(operations.finish(store, sessionKey, input)),
    fail: (input) => runDirect(operations.fail(store, sessionKey, input)),
    requestCancel: (input) => runDirect(operations.requestCancel(store, sessionKey, input)),
    cancel: (input) => runDirect(operations.cancel(store, sessionKey, input)),
    runTask: (input) => runDirect(operations.runTask(store, sessionKey, input)),
  };
}

/** The flow updated last; observed gateways give the one created last. */
function latestOf({ kind }: Store, flows: readonly KeptFlow[]): KeptFlow | undefined {
  if (kind === "bare") return flows.at(-1);
  return flows.reduce<KeptFlow | undefined>(
    (latest, flow) => (latest && latest.record.updatedAt > flow.record.updatedAt ? latest : flow),
    undefined,
  );
}

type RunAwaited = <Answer>(check: () => Checked<Answer>) => Promise<Answer>;

function bindAwaited(store: Store, sessionKey: string, run: RunAwaited): AwaitedFlows {
  const direct = bindDirect(store, sessionKey);
  const read = <Answer>(answer: () => Answer): Promise<Answer> => run(() => ({ refusal: answer() }));
  return {
    sessionKey,
    createManaged: async (input) => persisted(await run(() => operations.create(store, sessionKey, input))),
    tryCreateManaged: (input) => run(() => operations.create(store, sessionKey, input)),
    get: (flowId) => read(() => direct.get(flowId)),
    list: () => read(direct.list),
    findLatest: () => read(direct.findLatest),
    resolve: (token) => read(() => direct.resolve(token)),
    getTaskSummary: (flowId) => read(() => direct.getTaskSummary(flowId)),
    setWaiting: (input) => run(() => operations.setWaiting(store, sessionKey, input)),
    resume: (input) => run(() => operations.resume(store, sessionKey, input)),
    finish: (input) => run(() => operations.finish(store, sessionKey, input)),
    fail: (input) => run(() => operations.fail(store, sessionKey, input)),
    requestCancel: (input) => run(() => operations.requestCancel(store, sessionKey, input)),
    cancel: (input) => run(() => operations.cancel(store, sessionKey, input)),
    runTask: (input) => run(() => operations.runTask(store, sessionKey, input)),
  };
}

function requireKey(sessionKey: unknown): string {
  if (typeof sessionKey === "string" && sessionKey !== "") return sessionKey;
  throw new TypeError("bindSession: expected a sessionKey that is a non-empty string.");
}

function persisted(created: FlowRecord | null): FlowRecord {
  if (created !== null) return created;
  throw new Error("Flow persistence failed.");
}

function summarize(tasks: readonly TaskRecord[] | undefined): TaskSummary | null {
  if (tasks === undefined) return null;
  const byStatus: Record<string, number> = Object.fromEntries(taskStatuses.map((status) => [status, 0]));
  const byRuntime: Record<string, number> = { subagent: 0, acp: 0 };
  for (const { status, runtime } of tasks) {
    byStatus[status] = (byStatus[status] ?? 0) + 1;
    byRuntime[runtime] = (byRuntime[runtime] ?? 0) + 1;
  }
  const active = tasks.filter(isActive).length;
  const failures = tasks.filter(({ status }) => ["failed", "timed_out", "lost"].includes(status)).length;
  return { total: tasks.length, active, terminal: tasks.length - active, failures, byStatus, byRuntime };
}
