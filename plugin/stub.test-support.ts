import type { BoundFlows, Clock, FlowRecord, GatewayApi, HttpRoute, TaskRecord } from "./ports.ts";

/** A clock that stands still until it is advanced; callbacks run when they fall due. */
export class DrivenClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}

/** Part of every value that must never be shown. */
export const canary = "CANARY";

export function flowRecord(over: Partial<FlowRecord> = {}): FlowRecord {
  return {
    flowId: "flow-1",
    syncMode: "managed",
    controllerId: "webhooks/orders",
    revision: 3,
    status: "queued",
    notifyPolicy: "done_only",
    goal: "ship it",
    createdAt: 1,
    updatedAt: 2,
    ownerKey: `owner-${canary}`,
    requesterOrigin: { channel: canary },
    ...over,
  };
}

export function taskRecord(over: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: "task-1",
    runtime: "acp",
    parentFlowId: "flow-1",
    task: "pack",
    status: "queued",
    deliveryStatus: "pending",
    notifyPolicy: "done_only",
    scopeKind: "session",
    createdAt: 1,
    ownerKey: canary,
    requesterSessionKey: canary,
    childSessionKey: canary,
    ...over,
  };
}

export type FlowsCall = { name: string; input: unknown };

/** A runtime with one flow: `over` replaces answers, `calls` records what was asked. */
export function boundFlows(over: Partial<BoundFlows> = {}, calls: FlowsCall[] = []): BoundFlows {
  const flow = flowRecord();
  const change = () => ({ applied: true as const, flow: flowRecord({ revision: 4 }) });
  const answers: BoundFlows = {
    sessionKey: `session-${canary}`,
    createManaged: () => flow,
    tryCreateManaged: () => flow,
    get: () => flow,
    list: () => [flow],
    findLatest: () => flow,
    resolve: () => flow,
    getTaskSummary: () => ({ total: 0, active: 0, terminal: 0, failures: 0, byStatus: {}, byRuntime: {} }),
    setWaiting: change,
    resume: change,
    finish: change,
    fail: change,
    requestCancel: change,
    cancel: () => ({ found: true, cancelled: true, flow: flowRecord({ status: "cancelled" }), tasks: [] }),
    runTask: () => ({ created: true, flow, task: taskRecord() }),
    ...over,
  };
  return new Proxy(answers, {
    get(target, name: keyof BoundFlows) {
      const member = target[name];
      if (typeof member !== "function") return member;
      return (input: unknown) => {
        calls.push({ name, input });
        return Reflect.apply(member, target, [input]);
      };
    },
  });
}

export interface GatewayStub {
  readonly api: GatewayApi;
  readonly routes: HttpRoute[];
  readonly sessions: string[];
  readonly log: string[];
}

/** What `register` gets, and a record of what it did. */
export function gatewayStub(pluginConfig: unknown, flows: BoundFlows = boundFlows()): GatewayStub {
  const routes: HttpRoute[] = [];
  const sessions: string[] = [];
  const log: string[] = [];
  const logger = {
    warn: (message: string) => void log.push(`warn ${message}`),
    error: (message: string) => void log.push(`error ${message}`),
  };
  const bindSession = ({ sessionKey }: { sessionKey: string }): BoundFlows => {
    sessions.push(sessionKey);
    return flows;
  };
  const runtime = { tasks: { managedFlows: { bindSession } } };
  const registerHttpRoute = (route: HttpRoute): void => void routes.push(route);
  const api = { id: "webhooks", config: {}, pluginConfig, logger, runtime, registerHttpRoute };
  return { api, routes, sessions, log };
}
