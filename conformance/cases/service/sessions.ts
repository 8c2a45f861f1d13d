/** Section 1: a route sees and changes all TaskFlows of its own session, and has the authority of no other. */
import { randomUUID } from "node:crypto";
import { change, createFlow, getFlow } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { flowAfter, readBack, shownIn } from "../../harness/flows.ts";
import { mustNotShow } from "../../harness/strangers.ts";

/** Fields that could name a session. */
const sessionFields = ["sessionKey", "session", "sessionId", "ownerKey", "requesterSessionKey"];

/** Routes of one session, each with another field in its entry. */
const sameSession = ["customPath", "nestedPath", "oddId", "customController", "described", "allCharacters"] as const;

export const sessionCases: readonly Case[] = [
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
      // The runtime's number need not be the one that the plugin shows.
      const { flowId, revision } = (await readBack(trial, seeded.flowId)) ?? seeded;
      mustNotShow(await trial.post(getFlow(flowId, trial.profile.fields), trial.stranger), seeded, goal);
      mustRefuse(await trial.post(change("set_waiting", { flowId, revision }), trial.stranger));
      mustAccept(await trial.post(change("set_waiting", { flowId, revision })), "a change in its session accepted");
    },
  },
  {
    id: "SESSION-EVERY-ROUTE",
    title: "Each route of a session changes the session's flow, whatever else its entry holds",
    clauses: ["SESSION-WHOLE", "CONFIG-DESCRIPTION"],
    requests: sameSession.length,
    async run(trial) {
      for (const name of sameSession) {
        const flow = await trial.flow({}, trial.special("explicitlyEnabled"));
        const route = trial.special(name);
        const exchange = await trial.post(change("set_waiting", flow), route);
        mustAccept(exchange, `a flow of its session changed at the route ${route.id}`);
      }
    },
  },
  {
    id: "SESSION-NAMED-IN-OWN-CHANGE",
    title: "A change that names another session leaves the flow in its own",
    clauses: ["SESSION-BOUND"],
    requests: 30,
    reading: "What becomes of a field that an action does not have is open, but a flow does not change hands by it.",
    async run(trial) {
      mustTakeTwin(await trial.post(createFlow(), trial.stranger));
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
      mustTakeTwin(await trial.post(createFlow(), trial.stranger));
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
      mustTakeTwin(await trial.post(change("set_waiting", flow)));
    },
  },
];
