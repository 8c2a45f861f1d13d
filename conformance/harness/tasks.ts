/** Child tasks: starting one as set-up, and counting them. */
import { randomUUID } from "node:crypto";
import { getTaskSummary, runTask } from "../interface/bodies.ts";
import type { ActionBody } from "../interface/request.ts";
import { check, numberIn, taskIdOf } from "./checks.ts";
import { Failure, NotApplicable, Unreached } from "./case-errors.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../http/exchange.ts";
import { mustUnderstand } from "./flows.ts";
import { perInstance } from "../targets/per-instance.ts";
import type { Trial } from "./trial.ts";

/** Forms of a right run_task: the interface leaves open whether childSessionKey may be absent, and which sessions it may name. */
function taskForms({ route }: Trial): readonly Record<string, unknown>[] {
  const { sessionKey } = route;
  return [{}, { childSessionKey: `${sessionKey}-child` }, { childSessionKey: sessionKey }];
}

/** The first form that the target takes, and its answer; the answer to the first form where it takes none. Adds a task to the flow. */
async function triedTask(
  trial: Trial,
  flowId: string,
  more: Record<string, unknown>,
): Promise<{ form: Record<string, unknown>; exchange: Exchange }> {
  const [first = {}, ...others] = taskForms(trial);
  const refused = await trial.post(runTask(flowId, { ...first, ...more }));
  if (isAccepted(refused)) return { form: first, exchange: refused };
  for (const form of others) {
    const exchange = await trial.post(runTask(flowId, { ...form, ...more }));
    if (isAccepted(exchange)) return { form, exchange };
  }
  return { form: first, exchange: refused };
}

/** The same as set-up: unreached where the target takes none. */
async function acceptedTask(trial: Trial, flowId: string, more: Record<string, unknown>) {
  const tried = await triedTask(trial, flowId, more);
  if (isAccepted(tried.exchange)) return tried;
  throw new Unreached(`the set-up (run_task) was not accepted: ${describe(tried.exchange)}`, [tried.exchange]);
}

/** The form that an instance needs, once that was asked. */
const known = perInstance(() => ({ form: undefined as number | undefined }));

/**
 * A right run_task of a flow, without adding a task to it: what the target needs beside the required fields is asked once
 * for each instance, on a flow of its own. A target that takes no form gets the smallest one.
 */
export async function rightTask(trial: Trial, flowId: string, more: Record<string, unknown> = {}): Promise<ActionBody> {
  const forms = taskForms(trial);
  let { form: place } = known(trial.instance);
  if (place === undefined) {
    const { form, exchange } = await triedTask(trial, (await trial.flow()).flowId, {});
    place = forms.findIndex((one) => one["childSessionKey"] === form["childSessionKey"]);
    if (isAccepted(exchange)) known(trial.instance).form = place;
  }
  return runTask(flowId, { ...forms[place], ...more });
}

/**
 * A task with a childSessionKey that the target takes, or undefined: which sessions may be a child's is left open, so one
 * that is new, one below the route's own and the route's own are tried.
 */
export async function taskWithChildKey(
  trial: Trial,
  flowId: string,
  more: Record<string, unknown> = {},
): Promise<{ exchange: Exchange; childKey: string } | undefined> {
  const { sessionKey } = trial.route;
  for (const childKey of [`child-canary-${randomUUID()}`, `${sessionKey}-child-${randomUUID()}`, sessionKey]) {
    const exchange = await trial.post(runTask(flowId, { ...more, childSessionKey: childKey }));
    if (isAccepted(exchange)) return { exchange, childKey };
  }
  return undefined;
}

/** A task as set-up. */
export async function startedTask(
  trial: Trial,
  flowId: string,
  more: Record<string, unknown> = {},
): Promise<{ exchange: Exchange; taskId: string | undefined }> {
  const { exchange } = await acceptedTask(trial, flowId, more);
  return { exchange, taskId: taskIdOf(exchange) };
}

/** The same with a task id, which the control port needs. */
export async function settlableTask(trial: Trial, flowId: string, more: Record<string, unknown> = {}): Promise<string> {
  const { taskId } = await startedTask(trial, flowId, more);
  if (taskId === undefined) throw new NotApplicable("the result of run_task shows no taskId to end the task by");
  return taskId;
}

/** Children of a flow by its task summary; undefined where that shows no `total`. */
export async function taskCount(trial: Trial, flowId: string): Promise<number | undefined> {
  const exchange = await trial.post(getTaskSummary(flowId, trial.profile.fields));
  return isAccepted(exchange) ? numberIn(envelopeOf(exchange)?.result, "total") : undefined;
}

/** Checks that no task was added, where the task summary counts them. */
export async function mustAddNone(trial: Trial, flowId: string, before: number | undefined): Promise<void> {
  const after = await taskCount(trial, flowId);
  const { last } = trial;
  if (before !== undefined) check(after === before, "no task added", "another number of tasks", ...last);
}

/** Children that have not ended, by the task summary; undefined where that shows no `active`. */
export async function activeCount(trial: Trial, flowId: string): Promise<number | undefined> {
  const exchange = await trial.post(getTaskSummary(flowId, trial.profile.fields));
  return isAccepted(exchange) ? numberIn(envelopeOf(exchange)?.result, "active") : undefined;
}

/** 202 while a child is active. A target that ends the children at once has none left to wait for. */
export async function mustBePending(trial: Trial, exchange: Exchange, flowId: string): Promise<void> {
  mustUnderstand(exchange, "cancel_flow");
  if (exchange.answer?.status === 202) return;
  const active = await activeCount(trial, flowId);
  if (active === undefined) throw new NotApplicable("the task summary does not tell whether a child is still active");
  if (active === 0) throw new NotApplicable("the target ends the children of a cancelled flow at once");
  throw new Failure("202", describe(exchange), [exchange]);
}

/** A moment ago, as milliseconds or as ISO 8601 text: the interface does not show the form of a timestamp. */
const timestampForms: readonly (() => unknown)[] = [
  () => Date.now() - 60_000,
  () => new Date(Date.now() - 60_000).toISOString(),
];

/**
 * A value that the target takes for this field of a running task; the task, which is right without it, is added. Not
 * applicable where it takes none of the forms that a timestamp may have.
 */
export async function acceptedValue(
  trial: Trial,
  field: "startedAt" | "lastEventAt",
  task: ActionBody,
): Promise<unknown> {
  for (const make of timestampForms) {
    const value = make();
    const exchange = await trial.post({ ...task, status: "running", [field]: value });
    if (isAccepted(exchange)) return value;
  }
  throw new NotApplicable(`the target takes ${field} neither as milliseconds nor as ISO 8601 text`);
}
