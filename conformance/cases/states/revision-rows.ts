/** Section 3: exactly the current revision is taken, in every state, however far another one is away and how often it is sent. */
import type { Case } from "../../harness/case.ts";
import { changeActions, type Column } from "../../interface/flow-model.ts";
import {
  actorOf,
  endedStates,
  readerOf,
  revisions,
  senders,
  ways,
  type Children,
  type Revision,
  type RevisionName,
} from "../../oracle/flow-factors.ts";
import { readOf, sendOf, type Fields } from "../../oracle/flow-requests.ts";
import { withFlowClauses } from "../../oracle/judge.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { apart, bring, createNamed } from "../../oracle/play/flow-set-up.ts";
import { unless, type Row } from "../../oracle/rows.ts";
import type { World } from "../../oracle/world.ts";
import type { Reference } from "../../story/story.ts";

type Afterwards = "read" | "changed" | "the latest" | "a child";

interface Part {
  readonly title: string;
  readonly revision: readonly [RevisionName, ...RevisionName[]];
  readonly state: readonly [Column, ...Column[]];
  readonly children: readonly [Children, ...Children[]];
  readonly sent: readonly ["once", ..."three times"[]];
  readonly by: readonly [string, ...string[]];
  readonly afterwards: readonly [Afterwards, ...Afterwards[]];
}

const afterwards = ["read", "changed"] as const;

/** A revision of long ago takes many changes, and one ahead is refused anyhow: they are not met with everything. */
const parts: Readonly<Record<string, Part>> = {
  STALE: {
    title: "A change with the previous revision is a conflict, in any flow state, each time",
    revision: ["current", "one back"],
    // A new flow has had no other revision.
    state: ["waiting", "blocked", "finished", "failed", "cancelled", "cancel-requested"],
    children: ["none", "not begun", "acp", "with a key"],
    sent: ["once", "three times"],
    by: senders,
    // A change that was refused may have been noted all the same: as the flow's last one, or as a cancellation.
    afterwards: [...afterwards, "the latest", "a child"],
  },
  FAR: {
    title: "A change with a revision one, six or ten changes old is refused",
    revision: ["current", "six back", "ten back"],
    state: ["waiting", "blocked"],
    children: ["none"],
    sent: ["once"],
    // Each of these takes ten changes; who reads is met with the nearer ones.
    by: ["one route", "a sibling acts"],
    afterwards,
  },
  OTHER: {
    title: "A change with a future revision, or with none, is refused in any flow state",
    revision: ["current", "one ahead", "ten ahead", "with a digit more", "one turn of 32 bits ahead", "none"],
    // Where addresses share a budget, that of a route has room for no more states.
    state: ["waiting", "new", "blocked", "finished", "cancel-requested"],
    children: ["none"],
    sent: ["once"],
    by: senders,
    afterwards,
  },
};

/** In which states an action is no change that the current revision would allow; everything is refused of an ended flow. */
const refusedIn: Readonly<Record<string, readonly string[]>> = {
  resume_flow: ["new", "cancel-requested"],
  request_cancel: ["cancel-requested"],
};

/** What a change that is not applied may not leave behind; none where the target takes no such data. */
function dataFor({ learned, fields: { stateData, waitData } }: World, action: string): Fields {
  const isTaken = learned.get(`takes set_waiting with ${stateData}: object, ${waitData}: object`) !== "no";
  return action === "set_waiting" && isTaken ? { stateJson: { left: "behind" }, waitJson: { left: "as well" } } : {};
}

type RevisionRow = Row<Omit<Part, "title"> & { readonly action: typeof changeActions }>;

const allows = unless<RevisionRow>(
  ({ afterwards, action = "request_cancel", state = "waiting", children = "none", sent }) =>
    afterwards === "a child" &&
    (action !== "request_cancel" || children !== "none" || state !== "waiting" || sent === "three times"),
  // The right revision is what other cases are about.
  ({ revision, state = "waiting", children = "none", sent }) =>
    revision === "current" && (state !== "waiting" || children !== "none" || sent === "three times"),
  // Revisions far away are shared out between the two states.
  ({ state, revision = "one back" }) => state === "waiting" && ["ten back", "ten ahead"].includes(revision),
  ({ state = "waiting", revision = "one back" }) => state !== "waiting" && !near(state).includes(revision),
  // Where its state refuses the change as well, another revision that is taken would not show.
  ({ state, revision }) => endedStates.includes(state) && revision === "none",
  ({ action = "", state = "", revision = "one back" }) =>
    revision !== "one back" && refusedIn[action]?.includes(state) === true,
  // One minute's requests of a route are for all rows.
  ({ state, action = "finish_flow" }) => state === "cancelled" && action !== "finish_flow",
  ({ state = "waiting", children = "none" }) => children !== "none" && state !== "waiting" && state !== "blocked",
  ({ state = "waiting", sent }) => sent === "three times" && state !== "waiting",
);

/** Where a flow may be cancelled by itself, its revision may be one ahead of what was shown last. */
const near = (state: Column): readonly RevisionName[] => {
  if (state === "blocked") return ["one back", "none", "ten back", "ten ahead"];
  return ["one back", "none", state === "cancel-requested" ? "ten ahead" : "one ahead"];
};

/** The nearest one of many, as a check may hold for the first revisions only, and the current one without its last digit. */
const besideOld: readonly Reference[] = [
  { $revision: "f1", at: "stale", by: 1 },
  { $revision: "f1", at: "current", as: "shorter" },
];

async function play(one: Play, { revision, action, state, children, by, sent, afterwards }: RevisionRow) {
  const { world } = one;
  const kind: Revision = revisions[revision];
  const { history = 0 } = kind;
  await bring(one, "f1", { state, children, changes: history });
  if (by === "a sibling acts" && revision === "one back" && (state === "waiting" || state === "blocked")) {
    // The sibling has seen the revision that the route replaces now.
    await one.send(readOf(world, "get_flow", "f1", "sibling"));
    for (const way of ways[state]) await one.send(sendOf(world, way.action, "f1", { more: way.more ?? {} }));
  }
  if (afterwards === "the latest") {
    await one.send(apart);
    await createNamed(one, "f2");
    await one.send(apart);
  }
  const reference = kind.sent && ({ $revision: "f1", ...kind.sent } as Reference);
  const times = Array.from({ length: sent === "once" ? 1 : 3 }, () => reference);
  for (const named of [...(history > 1 ? besideOld : []), ...times])
    await one.send(sendOf(world, action, "f1", { revision: named, route: actorOf(by), more: dataFor(world, action) }));
  const route = readerOf(by);
  if (children !== "none") await one.send(readOf(world, "get_task_summary", "f1", route));
  await one.send(
    {
      read: () => readOf(world, "get_flow", "f1", route),
      changed: () => sendOf(world, action, "f1", { route }),
      "the latest": () => readOf(world, "find_latest_flow", "f1", route),
      "a child": () => sendOf(world, "run_task", "f1", { route }),
    }[afterwards](),
  );
}

export const revisionRows: readonly Case[] = Object.entries(parts).map(([id, { title, ...factors }]) =>
  flowRows({
    id: `REVISION-${id}`,
    title,
    clauses: withFlowClauses("REVISION-STALE", "REVISION-REQUIRED"),
    requests: 118,
    inOtherForms: () => true,
    reading:
      "A stale revision gets 409 revision_conflict in every state. One ahead of the flow's is not stale, so status and " +
      "code of its refusal are open.",
    table: {
      factors: { ...factors, action: changeActions },
      // Where the action would be refused anyhow, a revision that is taken does not show.
      triples: [["action", "state", "revision"]],
      allows,
    },
    play,
  }),
);
