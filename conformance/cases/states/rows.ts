/** Section 3: every action in every state of a flow, with children, by any route of its session, what is read afterwards, and the data that is stored. */
import type { Case } from "../../harness/case.ts";
import { settles } from "../../harness/own-ids.ts";
import { idOf } from "../../interface/values.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import type { ActionName } from "../../interface/fields.ts";
import type { Column, FlowAction } from "../../interface/flow-model.ts";
import {
  actorOf,
  children,
  data,
  endedStates,
  isActive,
  namesOf,
  readerOf,
  reads,
  senders,
  someData,
  states,
  ways,
  type Child,
} from "../../oracle/flow-factors.ts";
import { readOf, sendOf, type Fields } from "../../oracle/flow-requests.ts";
import { withFlowClauses } from "../../oracle/judge.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { apart, bring, createNamed, namedFlow, mustBeOver } from "../../oracle/play/flow-set-up.ts";
import { unless, type Row } from "../../oracle/rows.ts";

interface Acting {
  readonly id: string;
  readonly title: string;
  readonly action: FlowAction;
  readonly more?: Fields;
  /** Fields that it may be sent with as well. */
  readonly optional?: Fields;
  readonly clauses: readonly ClauseId[];
}

/** Other data than `someData`, which the flow may hold already. */
const newData: Fields = { stateJson: { of: "the change" }, waitJson: { of: "the next wait" } };

/** Fields that the interface gives a run_task. Of the other actions it shows none beside the required ones. */
const taskFields: Fields = {
  status: "running",
  progressSummary: "half",
  childSessionKey: { $sessionKey: "route", as: "child" },
};

const changing: readonly Acting[] = [
  {
    id: "SET-WAITING",
    title: "set_waiting",
    action: "set_waiting",
    optional: newData,
    clauses: ["ACTION-SET-WAITING", "STATE-SET-WAITING"],
  },
  {
    id: "SET-BLOCKED",
    title: "set_waiting that blocks a flow",
    action: "set_waiting",
    more: { blockedSummary: "waits for somebody else" },
    optional: newData,
    clauses: ["ACTION-SET-WAITING", "STATE-SET-WAITING"],
  },
  ...Object.entries({
    resume_flow: ["STATE-RESUME", "STATE-RESUME-ONLY"],
    finish_flow: ["STATE-FINISH"],
    fail_flow: ["STATE-FAIL"],
    request_cancel: ["STATE-REQUEST-CANCEL"],
    cancel_flow: ["STATE-CANCEL", "STATE-CANCEL-PENDING"],
    run_task: [],
  } as const satisfies Partial<Record<FlowAction, readonly ClauseId[]>>).map(([action, states]) => ({
    id: idOf(action),
    title: action,
    action: action as FlowAction,
    clauses: [`ACTION-${idOf(action)}` as ClauseId, ...states],
    ...(action === "run_task" && { optional: taskFields }),
  })),
];

/** Children that a request alone makes. */
const active = namesOf(
  Object.fromEntries(
    Object.entries<readonly Child[]>(children).filter(
      ([name, all]) => isActive(name) && !all.some(({ isOver, isLate }) => isOver ?? isLate),
    ),
  ),
);

const cancellation = flowRows({
  id: "STATES-CANCEL-CHILDREN",
  title: "cancel_flow answers 202 while a child task is active, in any flow state, each time",
  clauses: withFlowClauses("STATE-CANCEL-PENDING"),
  requests: 110,
  reading:
    "Section 3: 202 when child tasks are still active. A target that ends all children before it answers has none active: " +
    "then its task summary says so.",
  table: {
    factors: {
      children: [...active, "the first of two", "the second of two"],
      state: ["waiting", "new", "cancel-requested"],
      by: senders,
      sent: ["once", "twice", "until the children end"],
    },
    // Each child is ended by itself, so which ones there are makes little difference.
    allows: ({ children = "running", sent }) =>
      sent !== "until the children end" || ["running", "running before one not begun"].includes(children),
  },
  valuesOf: async (trial) => ((await settles(trial)) ? {} : { children: active, sent: ["once", "twice"] }),
  async play(play, { children, state, by, sent }) {
    await bring(play, "f1", { state, children });
    const { world } = play;
    const route = actorOf(by);
    const reader = readerOf(by);
    // What is kept of the latest flow is not to outlive a change that is only begun.
    const latest = () => (sent === "until the children end" ? [readOf(world, "find_latest_flow", "f1", reader)] : []);
    await play.send(...latest());
    for (let left = sent === "twice" ? 2 : 1; left > 0; left -= 1)
      await play.send(sendOf(world, "cancel_flow", "f1", { route }));
    await play.send(...latest());
    if (sent === "until the children end") {
      // What is shown of a pending cancellation may not be shown again when it is complete.
      await play.send(readOf(world, "get_flow", "f1", reader));
      for (const [task, taskId] of namedFlow(play, "f1").taskIds.entries())
        if (taskId !== undefined) await play.send({ do: "settle", flow: "f1", task, status: "succeeded" });
      for (const read of ["resolve_flow", "get_flow"] as const) await play.send(readOf(world, read, "f1", reader));
      await play.send(sendOf(world, "cancel_flow", "f1", { route }));
    }
    await play.send(readOf(world, "get_task_summary", "f1", reader));
  },
});

/** An ended child differs from none for few actions: the others meet two kinds of children. */
const short: readonly string[] = ["RESUME-FLOW", "FAIL-FLOW", "REQUEST-CANCEL"];

/** What is read beside a token. */
const beside: Partial<Record<FlowAction, readonly ActionName[]>> = {
  set_waiting: ["get_task_summary"],
};

/** What is read after an action. A page of a long list holds all flows or none; where all have ended none may be listed. */
const readsOf = (action: FlowAction) =>
  ({
    "the flow": ["get_flow", "get_task_summary"],
    "the flow's token": ["resolve_flow", ...(beside[action] ?? [])],
    "the session": ["find_latest_flow", "list_flows"],
  }) as const;

/** Begun elsewhere for each action, so that a state and children that meet one read here meet another one there. */
const turned = (by: number) => [...reads.slice(by), ...reads.slice(0, by)] as unknown as typeof reads;

/** Whether a flow in this state was told to wait, and may hold what it was given then. */
const hasWaited = (state: string): boolean => ways[state as Column].some(({ action }) => action === "set_waiting");

const some = <const Name extends string>(isThere: boolean, usual: Name, other: Name): readonly [Name, ...Name[]] =>
  isThere ? [usual, other] : [usual];

function factorsOf({ id, action, optional }: Acting, index: number) {
  const isShort = short.includes(id);
  // The budget of one route has no room for it with set_waiting and request_cancel; REVISION-FAR has old flows for those.
  const isOfAnyAge = action !== "set_waiting" && action !== "request_cancel";
  return {
    // For the second form of set_waiting fewer states are enough.
    state: id === "SET-BLOCKED" ? (["waiting", "new", "blocked", "resumed", "finished"] as const) : states,
    children: isShort ? (["none", "begun last"] as const) : (["none", "running", "ended", "begun last"] as const),
    by: senders,
    read: turned((index + 1) % reads.length),
    // What counts changes may go wrong only where there were some.
    before: some(isOfAnyAge, "nothing", "a wait"),
    holds: ["nothing", "data"] as const,
    sends: some(optional !== undefined, "required fields", "optional fields"),
  };
}

type ActingRow = Row<ReturnType<typeof factorsOf>>;

const [PLAIN_DATA] = namesOf(data);

/** A flow that has ended did so while it waited; the others were resumed, and one that is resumed was blocked then. */
async function begin(play: Play, { state, children, before: past, holds }: ActingRow): Promise<void> {
  const holding = holds === "data" ? someData : {};
  const wasBlocked = past !== "nothing" && state === "resumed";
  const changes = past === "nothing" ? 0 : endedStates.includes(state) ? 1 : 2;
  await bring(play, "f1", { state: wasBlocked ? "blocked" : state, children, holding, changes });
  if (wasBlocked) await play.send(sendOf(play.world, "resume_flow", "f1"));
}

async function act(play: Play, { action, more = {}, optional }: Acting, row: ActingRow): Promise<void> {
  const { world } = play;
  const { children, by, read, sends } = row;
  await begin(play, row);
  // A flow that was made later.
  if (read === "the session") {
    await play.send(apart);
    await createNamed(play, "f2");
    await play.send(apart);
  }
  const route = readerOf(by);
  const actions = readsOf(action)[read];
  // Before and after without children alone: the budget of one route is for all rows.
  const isOfSession = read === "the session" && children === "none";
  // What the reader was shown before the other route acts may not be shown again afterwards.
  const isSeenBefore = (read === "the flow" && by !== "one route") || (isOfSession && by === "a sibling acts");
  const seenFirst = isOfSession ? actions : (["get_flow"] as const);
  if (isSeenBefore) for (const one of seenFirst) await play.send(readOf(world, one, "f1", route));
  const { state: was, view } = namedFlow(play, "f1");
  const given = sends === "required fields" ? more : { ...optional, ...more };
  await play.send(sendOf(world, action, "f1", { more: given, route: actorOf(by) }));
  if (action === "cancel_flow") await mustBeOver(play, "f1", was, view);
  // To read another flow makes that no later.
  if (isOfSession && by === "one route") await play.send(readOf(world, "get_flow", "f2"));
  for (const one of actions) await play.send(readOf(world, one, "f1", route));
}

function toCase(acting: Acting, index: number): Case {
  const { id, title, action, clauses } = acting;
  // resume_flow alone is refused by states that are neither an end nor a cancellation.
  const isAged = (state: string) =>
    action === "resume_flow" ? state !== "new" : ["waiting", "resumed", "finished"].includes(state);
  return flowRows({
    id: `STATES-${id}`,
    title: `${title} is answered as state and child tasks allow, and reads agree`,
    clauses: withFlowClauses(...clauses),
    requests: 118,
    reading:
      "Each row is judged by a model of the interface alone: where that is silent, the profile or the first answer decides.",
    // Each action more would take some rows more.
    ...((id === "SET-WAITING" || id === "FINISH-FLOW") && { inOtherForms: () => true }),
    table: {
      factors: factorsOf(acting, index),
      allows: unless<ActingRow>(
        ({ holds, state }) => holds === "data" && state !== undefined && !hasWaited(state),
        ({ before, state = "waiting", children = "none" }) =>
          before === "a wait" && (!isAged(state) || children !== "none"),
        // A cancellation waits for active children, and for nothing else.
        ({ state, children }) => state === "cancel-pending" && children !== undefined && !isActive(children),
        ({ state, children = "none" }) => state === "cancelled" && isActive(children),
      ),
    },
    valuesOf: async (trial) =>
      short.includes(id) ? {} : { children: ["none", "running", (await settles(trial)) ? "ended" : "begun last"] },
    play: (play, row) => act(play, acting, row),
  });
}

export const stateRows: readonly Case[] = [
  cancellation,
  ...changing.map(toCase),
  flowRows({
    id: "STATES-DATA",
    title: "State and wait data of every JSON type are shown as set_waiting received them",
    clauses: withFlowClauses("STATE-SET-WAITING"),
    requests: 110,
    reading:
      "Their names and the forms that a target takes are open. What it accepts is shown as it was sent, or as its JSON text, " +
      "wherever a view shows such data at all.",
    inOtherForms: ({ data }) => ["odd names", undefined].includes(data),
    table: {
      factors: {
        data: namesOf(data),
        fields: ["state", "wait", "state and wait"],
        state: ["new", "waiting"],
        before: ["nothing", "other data"],
        behind: ["nothing", "another flow's data"],
        by: ["one route", "a sibling reads"],
        read: ["get_flow", "list_flows, then get_flow"],
        // A change is carried out whatever data the flow holds.
        next: ["finish_flow", "resume_flow"],
      },
      // Wait data without state data are met once: that shows whether views show such data. With them they replace others.
      // With plain data alone: another flow's data between, and a resume with data.
      allows: ({ data = PLAIN_DATA, fields, before, behind = "nothing", next = "finish_flow" }) =>
        (fields !== "state and wait" || before !== "nothing") &&
        (data === PLAIN_DATA || (fields !== "wait" && next === "finish_flow" && behind === "nothing")),
    },
    async play(one, { data: name, fields, state, before, behind, by, read, next }) {
      await bring(one, "f1", { state });
      const set = (flow: string, stateJson: unknown, waitJson: unknown) => {
        const more = { ...(fields !== "wait" && { stateJson }), ...(fields !== "state" && { waitJson }) };
        return one.send(sendOf(one.world, "set_waiting", flow, { more, route: "route" }));
      };
      const values = before === "nothing" ? [data[name]] : [{ before: true }, data[name]];
      for (const value of values) await set("f1", fields === "state and wait" ? { of: "the state" } : value, value);
      if (behind !== "nothing") {
        await createNamed(one, "f2");
        await set("f2", "f2", "f2");
      }
      // A list may show less of a flow; that takes nothing away from what is read of the flow itself.
      if (read !== "get_flow") await one.send(readOf(one.world, "list_flows", "f1", readerOf(by)));
      await one.send(readOf(one.world, "get_flow", "f1", readerOf(by)));
      await one.send(sendOf(one.world, next, "f1"));
    },
  }),
];
