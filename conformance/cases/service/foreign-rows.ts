/** Section 1: a route neither sees nor changes the TaskFlows of another session, by any action, in whatever state they are, and however alike the keys. */
import { randomUUID } from "node:crypto";
import { change, getFlow } from "../../interface/bodies.ts";
import type { Case } from "../../harness/case.ts";
import { mustRefuse, type FlowView } from "../../harness/checks.ts";
import { mustNotShow } from "../../harness/flows.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { ActionName } from "../../interface/fields.ts";
import { changeActions, flowActions } from "../../interface/flow-model.ts";
import { revisions } from "../../oracle/flow-factors.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { bring, create, flowOf, learnRuntime } from "../../oracle/play/flow-set-up.ts";
import type { Row, Table } from "../../oracle/rows.ts";
import type { Reference } from "../../story/story.ts";
import { flowClauses } from "../../oracle/judge.ts";
import { specialRoutes, type StandardRoute } from "../../targets/standard-routes.ts";

interface Part {
  readonly actions: readonly [ActionName, ...ActionName[]];
  readonly states: readonly [string, ...string[]];
  /** What is done with the flow afterwards. */
  readonly afterwards: readonly ["read", ...string[]];
}

const parts: Readonly<Record<string, Part>> = {
  READS: {
    actions: ["get_flow", "resolve_flow", "get_task_summary", "list_flows", "find_latest_flow"],
    states: ["new", "waiting", "finished", "cancel asked"],
    afterwards: ["read"],
  },
  CHANGES: {
    actions: changeActions,
    states: ["waiting", "new", "blocked", "finished", "cancel asked"],
    afterwards: ["read", "changed"],
  },
  TASKS: {
    actions: ["cancel_flow", "run_task"],
    states: ["new", "waiting", "blocked", "finished", "cancel asked", "cancelled"],
    afterwards: ["read", "changed"],
  },
};

const tableFor = ({ actions, states, afterwards }: Part) =>
  ({
    factors: {
      action: actions,
      state: states,
      child: ["none", "running"],
      revision: ["current", "one back", "one ahead", "none"],
      // Only reads that name no flow could mistake one for the other.
      "its own flow": afterwards.length === 1 ? ["none", "one", "one that ended"] : ["none"],
      // What the session has just read may be kept for whoever asks next.
      "read before": afterwards.length === 1 ? ["no", "by its session"] : ["no"],
      afterwards,
      runtime: actions.includes("run_task") ? ["subagent", "acp"] : ["subagent"],
      // What a child belongs to is no authority over its flow.
      childSessionKey: actions.includes("run_task") ? ["none", "the flow's session"] : ["none"],
    },
    allows: ({ action, revision = "current", state, child, runtime = "subagent", childSessionKey = "none" }) =>
      (revision === "current" || isChange(action)) &&
      // No other action would send them.
      ((runtime === "subagent" && childSessionKey === "none") || action === undefined || action === "run_task") &&
      !(revision === "one back" && state === "new") &&
      !(state === "cancelled" && child === "running"),
  }) satisfies Table;

/** Keys of another session that a child may name, and the child of that session which has it. */
const keys = {
  "the session's": { children: "running", key: { $sessionKey: "route" } },
  "a child's": { children: "with a key", key: { $sessionKey: "route", as: "child" } },
} as const;

const isChange = (action: unknown): boolean => (changeActions as readonly unknown[]).includes(action);

type Foreign = Row<ReturnType<typeof tableFor>["factors"]>;

async function playForeign(one: Play, row: Foreign): Promise<void> {
  const { world } = one;
  const { action } = row;
  const own = row["its own flow"];
  await bring(one, "f1", { state: row.state, children: row.child, goal: `goal of one session ${randomUUID()}` });
  // Whether a summary counts tasks is learned from its own.
  if (action === "get_task_summary") await one.send(readOf(world, "get_task_summary", "f1"));
  if (own !== "none") await create(one, "f2", "stranger");
  if (own === "one that ended") await one.send(sendOf(world, "finish_flow", "f2", { route: "stranger" }));
  const { sent } = revisions[row.revision as keyof typeof revisions];
  const revision = sent && ({ $revision: "f1", ...sent } as Reference);
  if (action === "run_task") await learnRuntime(one, row.runtime);
  const acting = flowActions.find((known) => known === action);
  if (acting === undefined && row["read before"] !== "no") await one.send(readOf(world, action, "f1"));
  await one.send(
    acting === undefined
      ? readOf(world, action, "f1", "stranger")
      : sendOf(world, acting, "f1", {
          route: "stranger",
          ...(isChange(acting) && { revision }),
          ...(acting === "run_task" && {
            more: {
              runtime: row.runtime,
              ...(row.childSessionKey !== "none" && { childSessionKey: keys["the session's"].key }),
            },
          }),
        }),
  );
  if (acting === undefined) return;
  if (row.afterwards === "changed") await one.send(sendOf(world, "set_waiting", "f1"));
  else await one.send(readOf(world, flowOf(one, "f1").state.tasks > 0 ? "get_task_summary" : "get_flow", "f1"));
}

const namedKeys = flowRows({
  id: "SESSION-FOREIGN-KEYS-NAMED",
  title: "A child that names another session's keys gives no hold on that session's flows and children",
  clauses: flowClauses,
  requests: 80,
  reading:
    "Whether run_task takes such a childSessionKey is open. Whatever becomes of the stranger's own flow and child, the " +
    "other session's flow, revision and children are as before.",
  table: {
    factors: {
      key: Object.keys(keys) as [keyof typeof keys],
      ending: ["cancel_flow", "request_cancel", "finish_flow"],
    },
  },
  async play(one, { key: name, ending }) {
    const { world } = one;
    const { children, key } = keys[name];
    await bring(one, "f1", { state: "new", children });
    await create(one, "f2", "stranger");
    const more = { status: "running", childSessionKey: key };
    await one.send(sendOf(world, "run_task", "f2", { more, route: "stranger" }));
    await one.send(sendOf(world, ending, "f2", { route: "stranger" }));
    for (const action of ["get_flow", "get_task_summary"] as const) await one.send(readOf(world, action, "f1"));
    await one.send(sendOf(world, "cancel_flow", "f1"));
  },
});

export const foreignRows: readonly Case[] = [
  ...Object.entries(parts).map(([id, part]) =>
    flowRows({
      id: `SESSION-FOREIGN-${id}`,
      title: `A flow of another session is neither shown nor changed by ${part.actions.join(", ")}, in whatever state it is`,
      clauses: [...flowClauses, "ERROR-NOT-FOUND"],
      requests: 118,
      reading:
        "Whether it is refused as a flow that does not exist or otherwise is open; nothing of the flow is shown, and it stays as it is.",
      table: tableFor(part),
      play: playForeign,
    }),
  ),
  namedKeys,
];

const { alike, alikeLonger, alikeFront, alikeSigns, alikeCapitals, alikePartOne, alikePartTwo } = specialRoutes;

interface Alike extends Pick<Case, "id" | "title"> {
  readonly routes: readonly StandardRoute[];
}

const alikeKeys: readonly Alike[] = [
  {
    id: "SESSION-KEY-LONGER",
    title: "A session has TaskFlows of its own, whatever stands before and behind in its key, and whichever signs",
    routes: [alike, alikeLonger, alikeFront, alikeSigns],
  },
  {
    id: "SESSION-KEY-LAST-PART",
    title: "Two sessions whose long keys differ only at their end, behind a colon, have TaskFlows of their own",
    routes: [alikePartOne, alikePartTwo],
  },
  {
    id: "SESSION-KEY-CAPITALS",
    title: "A session whose key is that of another in capital letters has TaskFlows of its own",
    routes: [alike, alikeCapitals],
  },
];

export const sessionKeyCases: readonly Case[] = alikeKeys.map(({ routes, ...one }) => ({
  ...one,
  clauses: ["SESSION-BOUND"],
  requests: 20,
  reading: "A key is a text that identifies its session by the whole of it (sections 1 and 5).",
  async run(trial) {
    const made: { readonly route: ConfiguredRoute; readonly flow: FlowView; readonly goal: string }[] = [];
    for (const route of routes.map(({ id }) => trial.routeOf(id))) {
      const goal = `goal of one session ${randomUUID()}`;
      made.push({ route, goal, flow: await trial.flow({ goal }, route) });
    }
    for (const { route } of made) {
      const others = made.filter((other) => other.route !== route);
      for (const action of ["list_flows", "find_latest_flow"] as const) {
        const exchange = await trial.post({ action }, route);
        for (const { flow, goal } of others) mustNotShow(exchange, flow, goal);
      }
      await trial.each(others, async ({ flow, goal }) => {
        mustNotShow(await trial.post(getFlow(flow.flowId, trial.profile.fields), route), flow, goal);
        mustRefuse(await trial.post(change("finish_flow", flow), route));
      });
    }
  },
}));
