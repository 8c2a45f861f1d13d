/** Section 1: a route sees and changes all TaskFlows of its own session, and has the authority of no other. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change, createFlow, getFlow, runTask } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import {
  changeActions,
  flowAfter,
  guarded,
  isListed,
  mustReadFields,
  shownIn,
  shows,
  twoFlows,
  understood,
  waitingFlow,
} from "../../harness/flows.ts";
import { mustNotShow } from "../../harness/strangers.ts";
import { taskForm } from "../../harness/tasks.ts";

/** Fields that could name a session. */
const sessionFields = ["sessionKey", "session", "sessionId", "ownerKey", "requesterSessionKey"];

export const sessionCases: readonly Case[] = [
  {
    id: "SESSION-SIBLING-READS",
    title: "Another route of the same session shows its flows",
    clauses: ["SESSION-WHOLE"],
    requests: 6,
    async run(trial) {
      const flow = await trial.flow();
      const body = getFlow(flow.flowId, trial.profile.fields);
      const exchange = understood(await trial.post(body, trial.sibling), "get_flow");
      const shown = shows(exchange, flow.flowId);
      if (!shown) await mustReadFields(trial, body, exchange);
      check(shown, "the flow", "no flow", exchange);
      await guarded(trial, trial.sibling);
    },
  },
  {
    id: "SESSION-SIBLING-LISTS",
    title: "list_flows shows the flows of the session, whichever route made them",
    clauses: ["SESSION-WHOLE", "ACTION-LIST-FLOWS"],
    requests: 2,
    reading: "Also where they have another controllerId. A target may give a part of a long list.",
    async run(trial) {
      const flows = await twoFlows(trial, trial.sibling);
      for (const route of [trial.route, trial.sibling]) {
        const list = understood(await trial.post({ action: "list_flows" }, route), "list_flows");
        for (const { flowId } of flows) check(isListed(list, flowId), "both flows", "one less", list);
      }
    },
  },
  {
    id: "SESSION-SIBLING-CHANGES",
    title: "Another route of the same session may change its flows",
    clauses: ["SESSION-WHOLE"],
    requests: 20,
    async run(trial) {
      for (const action of changeActions) {
        const flow = await waitingFlow(trial);
        mustAccept(await trial.post(change(action, flow), trial.sibling), `${action} accepted`);
      }
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      mustAccept(await trial.post(runTask(flowId, form), trial.sibling), "run_task accepted");
      const { fields } = trial.profile;
      understood(await trial.post(cancelFlow((await trial.flow()).flowId, fields), trial.sibling), "cancel_flow");
      await guarded(trial, trial.sibling);
    },
  },
  {
    id: "SESSION-SEEDED",
    title:
      "A flow that another program stored can be changed in its session, and is neither seen nor changed elsewhere",
    clauses: ["SESSION-WHOLE", "SESSION-BOUND"],
    needs: ["sessions"],
    requests: 8,
    reading: "Within its session a route may inspect and mutate any managed TaskFlow, whoever made it.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const seeded = await trial.control.seed({ sessionKey: trial.route.sessionKey, managed: true, goal });
      const { flowId, revision } = seeded;
      mustNotShow(await trial.post(getFlow(flowId, trial.profile.fields), trial.stranger), seeded, goal);
      mustRefuse(await trial.post(change("set_waiting", { flowId, revision }), trial.stranger));
      mustAccept(await trial.post(change("set_waiting", { flowId, revision })), "a change in its session accepted");
    },
  },
  {
    id: "SESSION-NAMED-IN-OWN-CHANGE",
    title: "A change that names another session leaves the flow in its own",
    clauses: ["SESSION-BOUND"],
    requests: 30,
    reading: "What becomes of a field that an action does not have is open, but a flow does not change hands by it.",
    async run(trial) {
      twin(await trial.post(createFlow(), trial.stranger));
      for (const name of sessionFields) {
        const flow = await trial.flow();
        const exchange = await trial.post({ ...change("set_waiting", flow), [name]: trial.stranger.sessionKey });
        if (!isAccepted(exchange)) continue;
        const now = await flowAfter(trial, exchange, flow.flowId);
        mustRefuse(await trial.post(change("finish_flow", now), trial.stranger));
        mustAccept(await trial.post(change("finish_flow", now)), `the flow still its own after a change with ${name}`);
      }
    },
  },
  {
    id: "SESSION-NAMED-IN-BODY",
    title: "A body that names another session reaches no flow of it",
    clauses: ["SESSION-BOUND"],
    requests: 26,
    reading:
      "What becomes of a field that an action does not have is open, but it gives no other session's authority. Each is " +
      "sent by itself: a target that refuses unknown fields would not come as far as the one that it knows.",
    async run(trial) {
      const flow = await trial.flow();
      const { fields } = trial.profile;
      const { sessionKey } = trial.route;
      twin(await trial.post(createFlow(), trial.stranger));
      for (const name of sessionFields) {
        const asked = (body: ActionBody) => trial.post({ ...body, [name]: sessionKey }, trial.stranger);
        mustRefuse(await asked(change("set_waiting", flow)));
        for (const body of [getFlow(flow.flowId, fields), { action: "list_flows" }]) {
          const shown = await asked(body);
          const expected = `no flow of another session that ${name} names`;
          check(shownIn(shown, flow.flowId) === undefined, expected, "the flow", shown);
        }
        const [made] = flowsOf(await asked(createFlow()));
        if (made === undefined) continue;
        const found = await trial.post(getFlow(made.flowId, fields));
        const expected = `no flow in another session that ${name} names`;
        check(shownIn(found, made.flowId) === undefined, expected, "one", found);
      }
      twin(await trial.post(change("set_waiting", flow)));
    },
  },
];
