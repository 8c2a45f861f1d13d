/** Section 3: every action in every state of a flow, with children, by any route of its session, and what is read afterwards. */
import type { Case } from "../../harness/case.ts";
import type { Trial } from "../../harness/trial.ts";
import { idOf } from "../../interface/values.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import type { FlowAction } from "../../interface/flow-model.ts";
import { isActive, reads, senders, states } from "../../oracle/flow-factors.ts";
import { readOf, sendOf, type Fields } from "../../oracle/flow-requests.ts";
import { flowClauses } from "../../oracle/judge.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { apart, bring, create, flowOf, mustBeOver } from "../../oracle/play/flow-set-up.ts";
import type { Row, Table } from "../../oracle/rows.ts";

interface Acting {
  readonly id: string;
  readonly title: string;
  readonly action: FlowAction;
  readonly more?: Fields;
  readonly clauses: readonly ClauseId[];
}

const changing: readonly Acting[] = [
  { id: "SET-WAITING", title: "set_waiting", action: "set_waiting", clauses: ["ACTION-SET-WAITING"] },
  {
    id: "SET-BLOCKED",
    title: "set_waiting with what blocks a flow",
    action: "set_waiting",
    more: { blockedSummary: "waits for somebody else" },
    clauses: ["ACTION-SET-WAITING"],
  },
  ...(["resume_flow", "finish_flow", "fail_flow", "request_cancel", "cancel_flow", "run_task"] as const).map(
    (action) => ({ id: idOf(action), title: action, action, clauses: [`ACTION-${idOf(action)}` as ClauseId] }),
  ),
];

export const settles = ({ instance }: Trial): boolean => instance.control?.capabilities.has("children") === true;

const table = {
  factors: { state: states, children: ["none", "running", "ended", "begun last"], by: senders, read: reads },
  // A cancellation waits for active children, and for nothing else.
  allows: ({ state, children }) =>
    children === undefined ||
    !((state === "cancel pending" && !isActive(children)) || (state === "cancelled" && isActive(children))),
} as const satisfies Table;

type Actions = Row<(typeof table)["factors"]>;

async function playAction(
  play: Play,
  { state, children, by, read }: Actions,
  { action, more = {} }: Acting,
): Promise<void> {
  const { world } = play;
  await bring(play, "f1", { state, children });
  // A flow that was made later.
  if (read === "the session") {
    await play.send(apart);
    await create(play, "f2");
    await play.send(apart);
  }
  const before = { ...flowOf(play, "f1") };
  await play.send(sendOf(world, action, "f1", { more, route: by === "a sibling acts" ? "sibling" : "route" }));
  if (action === "cancel_flow") await mustBeOver(play, before);
  const route = by === "a sibling reads" ? "sibling" : "route";
  // A page of a long list holds both flows or none; where all flows have ended none may be listed.
  const list = action === "finish_flow" ? (["list_flows"] as const) : [];
  const actions = {
    "the flow": ["get_flow", "get_task_summary"],
    "its token": ["resolve_flow", ...list],
    "the session": ["find_latest_flow", "list_flows"],
  } as const;
  for (const one of actions[read]) await play.send(readOf(world, one, "f1", route));
}

const oneChild = ["running", "not begun", "acp", "with a key", "with times"] as const;
const cancelTable = {
  factors: {
    children: [...oneChild, "two with one key", "the first of two", "the second of two"],
    state: ["waiting", "new", "cancel asked"],
    by: senders,
    sent: ["once", "twice"],
  },
} as const satisfies Table;

type Cancelling = Row<(typeof cancelTable)["factors"]>;

async function playCancellation(play: Play, { children, state, by, sent }: Cancelling): Promise<void> {
  await bring(play, "f1", { state, children });
  const route = by === "a sibling acts" ? "sibling" : "route";
  for (let left = sent === "once" ? 1 : 2; left > 0; left -= 1)
    await play.send(sendOf(play.world, "cancel_flow", "f1", { route }));
  const reader = by === "a sibling reads" ? "sibling" : "route";
  await play.send(readOf(play.world, "get_task_summary", "f1", reader));
}

const cancellation = flowRows({
  id: "STATES-CANCEL-CHILDREN",
  title: "cancel_flow of a flow in any state answers 202 while a child of any kind is active, each time",
  clauses: ["STATE-CANCEL-PENDING", ...flowClauses.filter((id) => id !== "STATE-CANCEL-PENDING")],
  requests: 110,
  reading:
    "Section 3: 202 when child tasks are still active. A target that ends all children before it answers has none active: " +
    "then its task summary says so.",
  table: cancelTable,
  valuesOf: async (trial) => (settles(trial) ? {} : { children: [...oneChild, "two with one key"] }),
  play: playCancellation,
});

/** An ended child differs from none for few actions. */
const shortTable: Table<(typeof table)["factors"]> = {
  ...table,
  factors: { ...table.factors, children: ["none", "begun last"] as unknown as (typeof table)["factors"]["children"] },
};
const short: readonly string[] = ["RESUME-FLOW", "FAIL-FLOW", "REQUEST-CANCEL"];

/** For the second form of set_waiting fewer states are enough. */
const blockingTable: Table<(typeof table)["factors"]> = {
  ...table,
  factors: { ...table.factors, state: ["waiting", "new", "blocked", "resumed", "finished"] },
};

function toCase(acting: Acting): Case {
  const isShort = short.includes(acting.id);
  return flowRows({
    id: `STATES-${acting.id}`,
    title: `${acting.title} of a flow in any state, with children or without, is answered as its state allows, and read back`,
    clauses: [...new Set([...flowClauses, ...acting.clauses])],
    requests: 110,
    reading:
      "Each row is judged by a model of the interface alone: where that is silent, the profile or the first answer decides.",
    table: acting.more !== undefined ? blockingTable : isShort ? shortTable : table,
    valuesOf: async (trial) =>
      isShort ? {} : { children: ["none", "running", settles(trial) ? "ended" : "begun last"] },
    play: (play, row) => playAction(play, row, acting),
  });
}

export const actionRows: readonly Case[] = [cancellation, ...changing.map(toCase)];
