/** Sections 3 and 4: of simultaneous requests one revision has one winner; those that do not contend for it are all carried out. */
import { cancelFlow, change, createFlow } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import { lastBytesAtOnce } from "../../harness/at-once.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, isRefused, mustAccept, mustRefuse } from "../../harness/checks.ts";
import { changeActions, type ChangeAction } from "../../interface/flow-model.ts";
import { sendCancel, shownIn, twoFlows, waitingFlow } from "../../harness/flows.ts";
import { rightTask, startedTask, taskCount } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Requests at once: half from the route, half from its sibling, each key well below the in-flight limit. */
const AT_ONCE = 6;
const ROUNDS = 2;

async function acceptedOf(trial: Trial, body: (place: number) => ActionBody): Promise<Exchange[]> {
  const bodies = Array.from({ length: AT_ONCE }, (_, place) => body(place));
  const answers = await lastBytesAtOnce(trial, bodies);
  const accepted = answers.filter(isAccepted);
  if (accepted.length === 0)
    throw new Unreached("none of several requests at the same time was accepted", answers, "states and revisions");
  return accepted;
}

/**
 * Not applicable where a task may be added to a cancelled flow, or a flow be cancelled at once though a task is active: then
 * a cancellation and a task that are both accepted say nothing.
 */
async function mustKeepApart(trial: Trial): Promise<void> {
  const [busy, idle] = await twoFlows(trial);
  await startedTask(trial, busy.flowId);
  if ((await sendCancel(trial, busy.flowId)).answer?.status !== 202)
    throw new NotApplicable("a flow with an active task is cancelled at once");
  await sendCancel(trial, idle.flowId);
  if (isAccepted(await trial.post(await rightTask(trial, idle.flowId))))
    throw new NotApplicable("a task is added to a cancelled flow");
}

const mixed: readonly ChangeAction[] = ["finish_flow", "fail_flow", "set_waiting", "resume_flow", "request_cancel"];

/** The actions of each round that race with one revision, in turns: one alone, or all of them. */
const races: readonly (readonly ChangeAction[])[] = [
  ...changeActions.map((action) => [action]),
  ...[0, 1, 2].map((first) => [...mixed.slice(first), ...mixed.slice(0, first)]),
];

/** Each key stays within the in-flight limit also where client addresses share it. */
const RACERS = 8;
const CONFLICT = { status: 409, code: "revision_conflict" };

async function mustHaveOneWinner(trial: Trial, actions: readonly ChangeAction[]): Promise<void> {
  const flow = await waitingFlow(trial);
  const bodies = Array.from({ length: RACERS }, (_, index) =>
    change(actions[index % actions.length] ?? "set_waiting", flow),
  );
  const answers = await lastBytesAtOnce(trial, bodies);
  // What changes nothing that a caller could see may be accepted and leave the revision as it is.
  const isSame = (answer: Exchange, { flowId, revision } = flow) => shownIn(answer, flowId)?.revision === revision;
  const accepted = answers.filter(isAccepted);
  const applied = accepted.filter((answer) => !isSame(answer));
  if (accepted.length > 0 && applied.length === 0) return;
  const wrong = answers.find((answer) => !isAccepted(answer) && !isRefused(answer, CONFLICT));
  if (applied.length === 1 && wrong === undefined) return;
  // What two requests show as well, one after the other, takes no race.
  for (const action of actions) {
    const other = await waitingFlow(trial);
    const first = await trial.post(change(action, other));
    const second = await trial.post(change(action, other), trial.sibling);
    const what = `a second ${action} with one revision, sent after the first was applied,`;
    if (isAccepted(first) && !isSame(first, other)) mustRefuse(second, CONFLICT, what);
  }
  const count = applied.length === 0 ? "none" : "several";
  const of = actions.length === 1 ? actions.join() : "different changes";
  check(applied.length === 1, "exactly one change applied", `${count} of ${of}`, ...applied);
  if (wrong !== undefined) mustRefuse(wrong, CONFLICT);
}

export const simultaneousCases: readonly Case[] = [
  {
    id: "REVISION-RACE",
    title: "Of simultaneous changes with one revision exactly one is applied",
    clauses: ["REVISION-STALE", "REVISION-ADVANCES"],
    requests: races.length * (RACERS / 2 + 3),
    reading:
      "Whichever comes first is applied; then the revision of the others is stale: 409 revision_conflict. Their last bytes " +
      "arrive at one moment, so that one is checked before another is written.",
    async run(trial) {
      await trial.each(races, (actions) => mustHaveOneWinner(trial, actions));
    },
  },
  {
    id: "ACTION-CREATE-FLOW-AT-ONCE",
    title: "Flows created at the same time are all kept, each with its own id and goal",
    clauses: ["FLOW-IDENTITY", "ACTION-CREATE-FLOW"],
    requests: ROUNDS * AT_ONCE * 2,
    async run(trial) {
      for (let round = 0; round < ROUNDS; round += 1) {
        // Different ones, and equal ones.
        const created = await acceptedOf(trial, (place) => createFlow(`at once ${round === 0 ? place : ""}`.trim()));
        const flows = created.map(flowOf);
        const ids = new Set(flows.map(({ flowId }) => flowId));
        check(ids.size === flows.length, "a flowId of its own for each flow", "one for several", ...created);
        const goals = new Set(flows.map(({ goal }) => goal));
        const isWhole = round > 0 || goals.has(undefined) || goals.size === flows.length;
        check(isWhole, "each goal in one of the flows", "one in several", ...created);
        for (const flow of flows) mustAccept(await trial.post(change("set_waiting", flow)), "each flow still there");
      }
    },
  },
  {
    id: "RUN-TASK-AT-ONCE",
    title: "Tasks started in one flow at the same time are all counted",
    clauses: ["ACTION-RUN-TASK", "ACTION-GET-TASK-SUMMARY"],
    requests: ROUNDS * (AT_ONCE + 6),
    reading: "A target may take fewer at once than are sent; each task that it has accepted is there.",
    async run(trial) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { flowId } = await trial.flow();
        await startedTask(trial, flowId);
        const task = await rightTask(trial, flowId);
        const first = await taskCount(trial, flowId);
        if (first !== 1) throw new NotApplicable("the summary of a flow with one task shows no total of 1");
        const accepted = await acceptedOf(trial, () => task);
        const total = await taskCount(trial, flowId);
        const last = [...accepted.slice(-1), ...trial.last];
        check(
          total === first + accepted.length,
          "a task for each run_task that was accepted",
          "fewer or more",
          ...last,
        );
      }
    },
  },
  {
    id: "RUN-TASK-BESIDE-CANCEL",
    title: "A cancelled flow has no active task from a simultaneous run_task",
    clauses: ["STATE-CANCEL-PENDING"],
    requests: 6 + ROUNDS * (AT_ONCE + 3),
    reading:
      "Either the task comes first, and the cancellation waits for it (202), or the flow is cancelled first, and the " +
      "task is refused. Judged where the target does both, one after the other.",
    async run(trial) {
      await mustKeepApart(trial);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { flowId } = await trial.flow();
        const task = await rightTask(trial, flowId);
        const others = Array.from({ length: AT_ONCE - 1 }, () => task);
        // In each round the cancellation is written at another place among the tasks.
        const bodies = others.toSpliced(3 * round, 0, cancelFlow(flowId, trial.profile.fields));
        const answers = await lastBytesAtOnce(trial, bodies);
        const cancellation = answers[3 * round];
        const tasks = answers.filter((answer) => answer !== cancellation && isAccepted(answer));
        if (cancellation === undefined || !isAccepted(cancellation)) continue;
        if (cancellation.answer?.status === 202 || tasks.length === 0) continue;
        // A task may have ended before the cancellation came.
        const active = await taskCount(trial, flowId, "active");
        if (active === undefined) throw new NotApplicable("the task summary shows no number of active tasks");
        check(active === 0, "no active task in a flow that was cancelled at once", "some", cancellation, ...tasks);
      }
    },
  },
];
