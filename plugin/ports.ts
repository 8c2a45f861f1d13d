/**
 * What the plugin needs from the gateway that hosts it. Types only; imports no other file of the plugin.
 * The shapes are those of a real gateway, so the plugin runs in it unchanged. A bound session may answer directly or
 * with a promise, so every answer is awaited.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type MaybePromise<T> = T | Promise<T>;

/** Time as a port, so that a test can drive windows and time-outs. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds; the function returned cancels the call. */
  setTimeout(callback: () => void, ms: number): () => void;
}

export interface Logger {
  info?(message: string): void;
  warn?(message: string): void;
  error?(message: string): void;
}

export interface HttpRoute {
  path: string;
  /** `plugin`: the gateway checks no credentials of its own, the handler does. */
  auth: "plugin";
  match: "exact";
  replaceExisting: boolean;
  /** Resolves to true when it answered the request. */
  handler(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** What the gateway passes to `register`. */
export interface GatewayApi {
  readonly id: string;
  /** The whole configuration document; `cancel` takes it as `cfg`. */
  readonly config: unknown;
  /** The value of `plugins.entries.<id>.config`, SecretRefs resolved; one that could not be resolved is still an object. */
  readonly pluginConfig: unknown;
  readonly logger: Logger;
  readonly runtime: { readonly tasks: { readonly managedFlows: ManagedFlows } };
  registerHttpRoute(route: HttpRoute): void;
}

/** What a gateway loads: the default export of a plugin module. */
export interface GatewayPlugin {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  register(api: GatewayApi): void;
}

export interface ManagedFlows {
  bindSession(session: { sessionKey: string }): BoundFlows;
}

/** What one session may do with its own TaskFlows. */
export interface BoundFlows {
  readonly sessionKey: string;
  /** Throws when the record cannot be persisted. */
  createManaged(input: CreateFlowInput): MaybePromise<FlowRecord>;
  /** Null when the record cannot be persisted; a refusal for any other reason. */
  tryCreateManaged(input: CreateFlowInput): MaybePromise<FlowRecord | CreateRefusal | null>;
  get(flowId: string): MaybePromise<FlowRecord | null | undefined>;
  list(): MaybePromise<FlowRecord[]>;
  /** The flow updated last. */
  findLatest(): MaybePromise<FlowRecord | null | undefined>;
  /** `token`: a flow id, or the bound session's own key for its latest flow. */
  resolve(token: string): MaybePromise<FlowRecord | null | undefined>;
  getTaskSummary(flowId: string): MaybePromise<TaskSummary | null | undefined>;
  setWaiting(input: SetWaitingInput): MaybePromise<MutationResult>;
  resume(input: ResumeInput): MaybePromise<MutationResult>;
  finish(input: FinishInput): MaybePromise<MutationResult>;
  fail(input: FailInput): MaybePromise<MutationResult>;
  requestCancel(input: RevisionInput): MaybePromise<MutationResult>;
  cancel(input: CancelInput): MaybePromise<CancelResult>;
  runTask(input: RunTaskInput): MaybePromise<RunTaskResult>;
}

export interface CreateFlowInput {
  goal: string;
  controllerId: string;
  status?: string;
  notifyPolicy?: string;
  currentStep?: string | null;
  stateJson?: Json;
  waitJson?: Json;
}

/** Optimistic concurrency: applied only while the flow still has this revision. */
export interface RevisionInput {
  flowId: string;
  expectedRevision: number;
}

export interface FinishInput extends RevisionInput {
  stateJson?: Json;
}

export interface FailInput extends FinishInput {
  blockedTaskId?: string | null;
  blockedSummary?: string | null;
}

export interface SetWaitingInput extends FailInput {
  currentStep?: string | null;
  waitJson?: Json;
}

export interface ResumeInput extends FinishInput {
  status?: string;
  currentStep?: string | null;
}

export interface CancelInput {
  flowId: string;
  /** A stale one is refused with `revision_conflict`; without it the cancel is unconditional. */
  expectedRevision?: number;
  /** The gateway's whole configuration document. */
  cfg: unknown;
}

export interface RunTaskInput {
  flowId: string;
  runtime: string;
  task: string;
  sourceId?: string | null;
  childSessionKey?: string | null;
  parentTaskId?: string | null;
  agentId?: string | null;
  runId?: string | null;
  label?: string | null;
  preferMetadata?: boolean;
  notifyPolicy?: string;
  status?: string;
  startedAt?: number;
  lastEventAt?: number;
  progressSummary?: string | null;
}

/** A stored TaskFlow. `ownerKey` and `requesterOrigin` are session metadata: never in a response. */
export interface FlowRecord {
  flowId: string;
  syncMode: string;
  controllerId: string;
  revision: number;
  status: string;
  notifyPolicy: string;
  goal: string;
  currentStep?: string;
  blockedTaskId?: string;
  blockedSummary?: string;
  stateJson?: Json;
  waitJson?: Json;
  /** Milliseconds since the epoch, as every `...At`. */
  cancelRequestedAt?: number;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
  ownerKey: string;
  requesterOrigin?: Json;
}

/** A stored child task. `ownerKey`, `requesterSessionKey` and `childSessionKey` are session metadata. */
export interface TaskRecord {
  taskId: string;
  runtime: string;
  parentFlowId: string;
  task: string;
  status: string;
  deliveryStatus: string;
  notifyPolicy: string;
  scopeKind: string;
  sourceId?: string;
  parentTaskId?: string;
  agentId?: string;
  runId?: string;
  label?: string;
  createdAt: number;
  startedAt?: number;
  lastEventAt?: number;
  endedAt?: number;
  progressSummary?: string;
  ownerKey: string;
  requesterSessionKey: string;
  childSessionKey?: string;
}

export interface TaskSummary {
  total: number;
  active: number;
  terminal: number;
  failures: number;
  byStatus: Record<string, number>;
  byRuntime: Record<string, number>;
}

export interface CreateRefusal {
  created: false;
  code?: string;
}

/** `code` is one of the interface's own; `reason` is prose and decides nothing. */
export type MutationResult =
  { applied: true; flow: FlowRecord } | { applied: false; code?: string; reason?: string; current?: FlowRecord };

export type RunTaskResult =
  | { created: true; flow: FlowRecord; task: TaskRecord }
  | { created: false; found: boolean; code?: string; reason?: string; flow?: FlowRecord };

export interface CancelResult {
  found: boolean;
  cancelled: boolean;
  code?: string;
  reason?: string;
  flow?: FlowRecord;
  /** The flow's child tasks as they stand after the call. */
  tasks?: TaskRecord[];
}
