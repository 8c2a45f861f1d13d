/** Section 3: exactly the current revision is taken, in every state, however far another one is away and how often it is sent. */
import type { Case } from "../../harness/case.ts";
import { changeActions, type Column } from "../../interface/flow-model.ts";
import { revisions, senders, ways, type Children, type RevisionName } from "../../oracle/flow-factors.ts";
import { readOf, sendOf, type Fields } from "../../oracle/flow-requests.ts";
import { flowClauses } from "../../oracle/judge.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { apart, bring, create } from "../../oracle/play/flow-set-up.ts";
import type { World } from "../../oracle/world.ts";
import type { Reference } from "../../story/story.ts";

interface Part {
  readonly title: string;
  readonly revision: readonly [RevisionName, ...RevisionName[]];
  readonly state: readonly [Column, ...Column[]];
  readonly children: readonly [Children, ...Children[]];
  readonly sent: readonly [string, ...string[]];
  readonly by: readonly [string, ...string[]];
  readonly afterwards: readonly [string, ...string[]];
}

const afterwards = ["read", "changed"] as const;

/** A revision of long ago takes many changes, and one ahead is refused anyhow: they are not met with everything. */
const parts: Readonly<Record<string, Part>> = {
  STALE: {
    title: "A change of a flow in any state is a conflict with the revision before the last change, each time",
    revision: ["current", "one back"],
    state: ["waiting", "new", "blocked", "finished", "failed", "cancelled", "cancel asked"],
    children: ["none", "not begun", "acp", "with a key"],
    sent: ["once", "three times"],
    by: senders,
    // A change that was refused may have been noted all the same: as the flow's last one, or as a cancellation.
    afterwards: [...afterwards, "the latest", "a child"],
  },
  FAR: {
    title:
      "A change of a flow that had many is refused with a revision of one, six or ten changes back, or a digit less",
    revision: ["current", "six back", "ten back"],
    state: ["waiting", "blocked"],
    children: ["none"],
    sent: ["once"],
    // Each of these takes ten changes; who reads is met with the nearer ones.
    by: ["one route", "a sibling acts"],
    afterwards,
  },
  OTHER: {
    title: "A change of a flow in any state is refused with a revision ahead of the flow's and without one",
    revision: ["current", "one ahead", "ten ahead", "with a digit more", "one turn of 32 bits ahead", "none"],
    // Where addresses share a budget, that of a route has room for no more states.
    state: ["waiting", "new", "blocked", "finished", "cancel asked"],
    children: ["none"],
    sent: ["once"],
    by: senders,
    afterwards,
  },
};

/** In which states an action is no change that the current revision would allow; everything is refused of an ended flow. */
const refusedIn: Readonly<Record<string, readonly string[]>> = {
  resume_flow: ["new", "cancel asked"],
  request_cancel: ["cancel asked"],
};

const ended: readonly (string | undefined)[] = ["finished", "failed", "cancelled"];

const of = (revision: string) => revisions[revision as keyof typeof revisions];

/** What a change that is not applied may not leave behind; none where the target takes no such data. */
function dataFor({ learned, fields: { stateData, waitData } }: World, action: string): Fields {
  const isTaken = learned.get(`takes set_waiting with ${stateData}: object, ${waitData}: object`) !== "no";
  return action === "set_waiting" && isTaken ? { stateJson: { left: "behind" }, waitJson: { left: "as well" } } : {};
}

export const revisionRows: readonly Case[] = Object.entries(parts).map(([id, { title, ...factors }]) =>
  flowRows({
    id: `REVISION-${id}`,
    title,
    clauses: [...flowClauses, "REVISION-STALE", "REVISION-REQUIRED"],
    requests: 118,
    reading:
      "A stale revision gets 409 revision_conflict in every state. One ahead of the flow's is not stale, so status and " +
      "code of its refusal are open.",
    table: {
      factors: { ...factors, action: changeActions },
      // Where the action would be refused anyhow, a revision that is taken does not show.
      triples: [["action", "state", "revision"]],
      allows: ({ revision, state, sent, children, action, afterwards }) => {
        const [isWaiting, isOften] = [state === undefined || state === "waiting", sent === "three times"];
        const isPlain = children === undefined || children === "none";
        const isCancel = (action ?? "request_cancel") === "request_cancel";
        if (afterwards === "a child" && (!isCancel || !isPlain || !isWaiting || isOften)) return false;
        // A new flow has had no other revision, and the right one is what other cases are about.
        if (state === "new" && revision !== undefined && "history" in of(revision)) return false;
        if (revision === "current") return isWaiting && isPlain && !isOften;
        // Where a flow may be cancelled by itself, its revision may be one ahead of what was shown last.
        const ahead = state === "cancel asked" ? "ten ahead" : "one ahead";
        const near = ["one back", "none", state === "blocked" ? "ten back" : ahead];
        // The flows with many changes are shared out between the two states.
        if (state === "waiting" && revision === "ten back") return false;
        if (!isWaiting && revision !== undefined && !near.includes(revision)) return false;
        // Where its state refuses the change as well, another revision that is taken would not show.
        if (ended.includes(state) && revision === "none") return false;
        // One minute's requests of a route are for all rows.
        if (state === "cancelled" && action !== undefined && action !== "finish_flow") return false;
        const mayBeStale = revision === undefined || revision === "one back";
        if (!mayBeStale && refusedIn[action ?? ""]?.includes(state ?? "") === true) return false;
        return (isPlain || isWaiting || state === "blocked") && (!isOften || isWaiting);
      },
    },
    async play(one, { revision, action, state, children, by, sent, afterwards }) {
      const { world } = one;
      const kind = of(revision);
      await bring(one, "f1", { state, children, changes: "history" in kind ? kind.history : 0 });
      if (by === "a sibling acts" && revision === "one back" && (state === "waiting" || state === "blocked")) {
        // The sibling has seen the revision that the route replaces now.
        await one.send(readOf(world, "get_flow", "f1", "sibling"));
        for (const way of ways[state]) await one.send(sendOf(world, way.action, "f1", { more: way.more ?? {} }));
      }
      if (afterwards === "the latest") {
        await one.send(apart);
        await create(one, "f2");
        await one.send(apart);
      }
      const reference = kind.sent && ({ $revision: "f1", ...kind.sent } as Reference);
      const route = by === "a sibling acts" ? "sibling" : "route";
      // The nearest one of many, as a check may hold for the first revisions only, and the current one without its last digit.
      const others: readonly Reference[] = [
        { $revision: "f1", at: "stale", by: 1 },
        { $revision: "f1", at: "current", as: "shorter" },
      ];
      if ("history" in kind && kind.history > 1)
        for (const other of others)
          await one.send(sendOf(world, action, "f1", { revision: other, route, more: dataFor(world, action) }));
      for (let left = sent === "once" ? 1 : 3; left > 0; left -= 1) {
        const more = dataFor(world, action);
        await one.send(sendOf(world, action, "f1", { revision: reference, route, more }));
      }
      const reader = by === "a sibling reads" ? "sibling" : "route";
      if (children !== "none") await one.send(readOf(world, "get_task_summary", "f1", reader));
      if (afterwards === "read") await one.send(readOf(world, "get_flow", "f1", reader));
      else if (afterwards === "a child") await one.send(sendOf(world, "run_task", "f1", { route: reader }));
      else if (afterwards === "changed") await one.send(sendOf(world, action, "f1", { route: reader }));
      else await one.send(readOf(world, "find_latest_flow", "f1", reader));
    },
  }),
);
