/** Sections 1 to 4 and 8: each create_flow makes one new flow, in its own session, of what this one request says. */
import type { Case } from "../../harness/case.ts";
import { goals, namesOf, readerOf } from "../../oracle/flow-factors.ts";
import { creationOf, readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { bring, createNamed } from "../../oracle/play/flow-set-up.ts";
import type { RouteName } from "../../story/story.ts";
import { randomUUID } from "node:crypto";
import { change, createFlow, smallest } from "../../interface/bodies.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { pairAtOnce } from "../../harness/at-once.ts";
import { check, flowOf, mustAccept, mustRefuse, mustTakeTwin, setUp, type FlowView } from "../../harness/checks.ts";
import { mustNotShow, readBack, shownIn } from "../../harness/flows.ts";
import { owing } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";

const [PLAIN] = namesOf(goals);

/** create_flow with the id of a flow that is there, under names that a target might take it from. */
const replacing = (by: RouteName, about: Omit<Case, "requests" | "run" | "factors">): Case =>
  flowRows({
    ...about,
    requests: 30,
    table: { factors: { state: ["waiting", "new"], field: ["flowId", "id"], by: [by] } },
    async play(one, { state, field }) {
      await bring(one, "f1", { state });
      const creation = creationOf("f2");
      // A target may refuse the field.
      await one.send({ ...creation, route: by, body: { ...creation.body, [field]: { $flow: "f1" } } });
      await one.send(readOf(one.world, "get_flow", "f1"));
      await one.send(sendOf(one.world, "set_waiting", "f1"));
    },
  });

/** A new flow as create_flow and get_flow show it. */
async function shownText(trial: Trial, created: Exchange, route: ConfiguredRoute): Promise<string> {
  const { flowId } = flowOf(created);
  const views: (FlowView | undefined)[] = [shownIn(created, flowId), await readBack(trial, flowId, route)];
  return JSON.stringify(views);
}

export const creationCases: readonly Case[] = [
  replacing("stranger", {
    id: "SESSION-FOREIGN-CREATE-FLOW",
    title: "create_flow with the id of a flow of another session leaves that flow as it was",
    clauses: ["SESSION-BOUND"],
  }),
  replacing("sibling", {
    id: "SESSION-SIBLING-CREATE-FLOW",
    title: "create_flow with the id of a flow of the same session leaves that flow as it was",
    clauses: ["STATE-CREATE", "REVISION-UNCHANGED"],
    level: "should",
    reading: "create_flow makes a flow; what changes one that is there needs its revision.",
  }),
  flowRows({
    id: "CREATE-FLOW-FIELDS",
    title: "Each create_flow makes a new flow with the goal, status and notifyPolicy that it names",
    clauses: [
      "ACTION-CREATE-FLOW",
      "STATE-CREATE",
      "FLOW-GOAL",
      "FLOW-IDENTITY",
      "SESSION-WHOLE",
      "ACTION-GET-FLOW",
      "ACTION-LIST-FLOWS",
      "REVISION-UNCHANGED",
    ],
    requests: 110,
    reading:
      "How long a goal may be and which characters it may have is open (section 8), but an accepted one is shown as it was " +
      "given: only the white space around it may go, and half a character may be replaced.",
    inOtherForms: ({ goal }) => [PLAIN, "lines", "signs", undefined].includes(goal),
    table: {
      factors: {
        goal: namesOf(goals),
        status: ["absent", "queued"],
        notifyPolicy: ["absent", "done_only"],
        by: ["one route", "a sibling reads"],
        sent: ["once", "twice"],
        read: ["get_flow", "list_flows"],
      },
      // No goal has to be new: a few show that. A refused goal that a target may refuse would hide that the other fields are.
      allows: ({ goal, sent, status, notifyPolicy }) =>
        (sent !== "twice" || [PLAIN, '"0"', undefined].includes(goal)) &&
        ([goal, status, notifyPolicy].includes(undefined) ||
          goal === PLAIN ||
          (status === "absent") === (notifyPolicy === "absent")),
    },
    async play(one, { goal, status, notifyPolicy, by, sent, read }) {
      const fields = {
        goal: goals[goal],
        ...(status === "queued" && { status }),
        ...(notifyPolicy === "done_only" && { notifyPolicy }),
      };
      const names = sent === "once" ? ["f1"] : ["f1", "f2"];
      for (const name of names) await createNamed(one, name, "route", fields);
      await one.send(readOf(one.world, read, "f1", readerOf(by)));
    },
  }),
  {
    id: "SESSION-HELD-BODY",
    title: "A request is carried out in its own session though another route's request overtakes it",
    clauses: ["SESSION-BOUND", "STATE-CREATE"],
    // Else the twin is overtaken as well, by what other cases send.
    alone: true,
    requests: 33,
    reading: "Or comes at the same moment, as reads of one flow by its own session and by another do.",
    async run(trial) {
      const goal = `held ${randomUUID()}`;
      const held = async () => (await owing(trial, trial.right(createFlow(goal)))).upload;
      mustTakeTwin(await trial.finish(await held()));
      const upload = await held();
      mustTakeTwin(await trial.post(createFlow(), trial.stranger));
      const flow = flowOf(mustAccept(await trial.finish(upload), "the request accepted that another one overtook"));
      const isRead = (await readBack(trial, flow.flowId)) !== undefined;
      for (const action of ["get_flow", "list_flows", "find_latest_flow", "resolve_flow"] as const) {
        const body = smallest(action, flow, trial.profile.fields);
        const [own, foreign] = await pairAtOnce(trial, trial.right(body), trial.right(body, trial.stranger));
        mustNotShow(foreign, flow, goal);
        const isShown = action !== "get_flow" || !isRead || shownIn(own, flow.flowId) !== undefined;
        check(isShown, "the flow for its own session", describe(own), own, foreign);
      }
      mustRefuse(await trial.post(change("set_waiting", flow), trial.stranger));
      mustAccept(await trial.post(change("set_waiting", flow)), "the flow in the session of the route that was asked");
    },
  },
  {
    id: "CREATE-NOTHING-FROM-BEFORE",
    title: "A new flow holds no data of an earlier create_flow",
    clauses: ["STATE-CREATE", "SESSION-BOUND"],
    requests: 16,
    reading:
      "In its own session and in another. The interface shows few fields of create_flow: those that are refused, and " +
      "those that no view shows, say nothing.",
    async run(trial) {
      const { stateData, waitData } = trial.profile.fields;
      let shown = 0;
      for (const name of ["controllerId", stateData, waitData]) {
        const text = `from before ${randomUUID()}`;
        const value = name === "controllerId" ? text : { text };
        const created = await trial.post(createFlow("conformance", { [name]: value }), trial.stranger);
        if (!isAccepted(created) || !(await shownText(trial, created, trial.stranger)).includes(text)) continue;
        shown += 1;
        await trial.each([trial.route, trial.stranger], async (route) => {
          const plain = setUp(await trial.post(createFlow(), route), "create_flow");
          const kept = (await shownText(trial, plain, route)).includes(text);
          check(!kept, `no ${name} of another create_flow`, "one", plain);
        });
      }
      if (shown === 0) throw new NotApplicable("no field beside the goal is taken and shown");
    },
  },
];
