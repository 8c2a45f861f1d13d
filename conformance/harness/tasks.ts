/** Child tasks: starting one as set-up, and counting them. */
import { getTaskSummary, runTask } from "../interface/bodies.ts";
import type { ActionBody } from "../interface/request.ts";
import { check, numberIn, setUp, taskIdOf } from "./checks.ts";
import { NotApplicable } from "./case-errors.ts";
import { envelopeOf, isAccepted, type Exchange } from "../http/exchange.ts";
import { mustUnderstand } from "./flows.ts";
import { mustKnowIds } from "./own-ids.ts";
import { perServer } from "../targets/per-server.ts";
import type { Trial } from "./trial.ts";

/** Forms of a right run_task: the interface leaves open whether childSessionKey may be absent, and which sessions it may name. */
function taskForms({ route }: Trial): readonly Record<string, unknown>[] {
  const { sessionKey } = route;
  return [{}, { childSessionKey: `${sessionKey}-child` }, { childSessionKey: sessionKey }];
}

/** Cached per server: the index in `taskForms` of the form that it accepts. */
const known = perServer(() => ({ form: undefined as number | undefined }));

/**
 * A right run_task of a flow, without adding a task to it: what the target needs beside the required fields is asked once
 * for each server, on a flow of its own. A target that takes no form gets the smallest one.
 */
export async function rightTask(trial: Trial, flowId: string, more: Record<string, unknown> = {}): Promise<ActionBody> {
  const forms = taskForms(trial);
  const asked = known(trial.server);
  if (asked.form === undefined) {
    const flow = await trial.flow();
    for (const [place, form] of forms.entries())
      if (asked.form === undefined && isAccepted(await trial.post(runTask(flow.flowId, form)))) asked.form = place;
  }
  return runTask(flowId, { ...forms[asked.form ?? 0], ...more });
}

export async function startedTask(trial: Trial, flowId: string, more: Record<string, unknown> = {}): Promise<Exchange> {
  return setUp(await trial.post(await rightTask(trial, flowId, more)), "run_task");
}

/** Starts a running task as set-up. Returns its id, by which the control port can end it. */
export async function settlableTask(trial: Trial, flowId: string): Promise<string> {
  await mustKnowIds(trial);
  const taskId = taskIdOf(await startedTask(trial, flowId, { status: "running" }));
  if (taskId === undefined) throw new NotApplicable("the result of run_task shows no taskId to end the task by");
  return taskId;
}

/** Children of a flow by its task summary, all or those that have not ended; undefined where that shows no such number. */
export async function taskCount(
  trial: Trial,
  flowId: string,
  which: "total" | "active" = "total",
): Promise<number | undefined> {
  const exchange = await trial.post(getTaskSummary(flowId, trial.profile.fields));
  return isAccepted(exchange) ? numberIn(envelopeOf(exchange)?.result, which) : undefined;
}

export async function mustAddNone(trial: Trial, flowId: string, before: number | undefined): Promise<void> {
  const after = await taskCount(trial, flowId);
  if (before !== undefined) check(after === before, "no task added", "another number of tasks", ...trial.last);
}

/** 202 while a child is active, as STATES-CANCEL-CHILDREN judges. Not applicable where the target waits for no child. */
export function mustBePending(exchange: Exchange): void {
  if (mustUnderstand(exchange, "cancel_flow").answer?.status !== 202)
    throw new NotApplicable("cancel_flow is not answered 202 while a child is active");
}

/** A moment ago, as milliseconds or as ISO 8601 text: the interface does not show the form of a timestamp. */
const timestampForms: readonly (() => unknown)[] = [
  () => Date.now() - 60_000,
  () => new Date(Date.now() - 60_000).toISOString(),
];

/**
 * A value that the target takes for `startedAt` of a running task; the task, which is right without it, is added. Not
 * applicable where it takes none of the forms that a timestamp may have.
 */
export async function acceptedTime(trial: Trial, task: ActionBody): Promise<unknown> {
  for (const make of timestampForms) {
    const startedAt = make();
    if (isAccepted(await trial.post({ ...task, status: "running", startedAt }))) return startedAt;
  }
  throw new NotApplicable("the target takes startedAt neither as milliseconds nor as ISO 8601 text");
}
