/** The managedFlows runtime in memory: what a gateway passes to its plugins, with the levers that tests need. */
import { randomUUID } from "node:crypto";
import type { BoundFlows, Clock, CreateFlowInput, FlowRecord, TaskRecord, TaskSummary } from "../plugin/ports.ts";
import * as operations from "./flow-operations.ts";
import type { Checked } from "./flow-operations.ts";
import {
  addFlow,
  copyFlow,
  finishedIn,
  flowsOf,
  isActive,
  ownedFlow,
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
   * Awaited by the awaited runtime between the check of a call and its write, without a second check: simultaneous
   * changes of one revision can then all be applied, as in a store without transactions.
   */
  beforeWrite?: (call: string) => Promise<void> | undefined;
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

  const runAwaited: Run = async (check, call) => {
    const checked = check();
    if ("refusal" in checked) return checked.refusal;
    const waited = beforeWrite?.(call);
    // Awaits only if asked to: even `await undefined` lets other requests run in between.
    if (waited !== undefined) await waited;
    return checked.write();
  };

  return {
    kind: store.kind,
    left: store.left,
    runtime: { bindSession: ({ sessionKey }) => bind(store, sessionKey, runDirect) as DirectFlows },
    asyncRuntime: { bindSession: ({ sessionKey }) => bind(store, sessionKey, runAwaited) as AwaitedFlows },
    seed: ({ sessionKey, managed = true, status = "queued", goal = "seeded" }) => {
      const flow = addFlow(store, {
        ownerKey: sessionKey,
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

type Run = <Answer>(check: () => Checked<Answer>, call: string) => unknown;

const runDirect: Run = (check) => {
  const checked = check();
  return "refusal" in checked ? checked.refusal : checked.write();
};

/** Closures, no `this`: gateways and plugins spread bindings and pass single methods on. */
function bind(store: Store, sessionKey: string, run: Run): object {
  const calls: Record<string, (input: never) => Checked<unknown>> = callsOf(store, requireKey(sessionKey));
  const bound = Object.entries(calls).map(([name, call]) => [name, (input: never) => run(() => call(input), name)]);
  return { sessionKey, ...Object.fromEntries(bound) };
}

const shown = (flow: KeptFlow | undefined) => ({ refusal: flow ? copyFlow(flow.record) : null });

function callsOf(store: Store, sessionKey: string) {
  const flows = flowsOf(store, sessionKey);
  const owned = (flowId: string) => ownedFlow(store, sessionKey, flowId);
  const change =
    <Input, Answer>(operation: (store: Store, sessionKey: string, input: Input) => Checked<Answer>) =>
    (input: Input) =>
      operation(store, sessionKey, input);
  return {
    createManaged: (input: CreateFlowInput) => {
      const checked = operations.create(store, sessionKey, input);
      if ("refusal" in checked) throw new Error("Flow persistence failed.");
      return checked;
    },
    tryCreateManaged: change(operations.create),
    get: (flowId: string) => shown(owned(flowId)),
    list: () => ({ refusal: flows.map((flow) => copyFlow(flow.record)).toReversed() }),
    // The flow created last, as in observed gateways, which need not be the one updated last.
    findLatest: () => shown(flows.at(-1)),
    resolve: (token: string) => shown(owned(token) ?? (token === sessionKey ? flows.at(-1) : undefined)),
    getTaskSummary: (flowId: string) => ({ refusal: summarize(owned(flowId)?.tasks) }),
    setWaiting: change(operations.setWaiting),
    resume: change(operations.resume),
    finish: change(operations.finish),
    fail: change(operations.fail),
    requestCancel: change(operations.requestCancel),
    cancel: change(operations.cancel),
    runTask: change(operations.runTask),
  };
}

function requireKey(sessionKey: unknown): string {
  if (typeof sessionKey === "string" && sessionKey !== "") return sessionKey;
  throw new TypeError("bindSession: expected a sessionKey that is a non-empty string.");
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
