/** Section 1: a route sees and changes all TaskFlows of its own session, however many, and has the authority of no other. */
import { randomUUID } from "node:crypto";
import { change, createFlow, getFlow, resolveFlow } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { flowAfter, mustNotShow, readBack, shows } from "../../harness/flows.ts";
import { shownWithGoal } from "../../harness/own-ids.ts";
import { rightTask } from "../../harness/tasks.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { apart, createNamed } from "../../oracle/play/flow-set-up.ts";

/** Fields that could name a session, or the route that has it. */
const sessionFields = ["sessionKey", "session", "sessionId", "ownerKey", "requesterSessionKey", "routeId"];

/** Routes of one session, each with another field in its entry. */
const sameSession = ["customPath", "nestedPath", "oddId", "customController", "described", "allCharacters"] as const;

/** More than a page of fifty, of 64 or of a hundred. */
const FLOWS = 101;

export const sessionCases: readonly Case[] = [
  {
    id: "SESSION-SEEDED",
    title: "A flow stored by another program can be changed in its session and is invisible elsewhere",
    clauses: ["SESSION-WHOLE", "SESSION-BOUND"],
    needs: ["sessions"],
    requests: 12,
    reading: "Within its session a route may inspect and mutate any managed TaskFlow, whoever made it.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const seeded = await trial.control.seed({ sessionKey: trial.route.sessionKey, managed: true, goal });
      // Neither the runtime's number nor its id need be what the plugin shows.
      const shown = (await readBack(trial, seeded.flowId)) ?? (await shownWithGoal(trial, goal)) ?? seeded;
      const { flowId, revision } = shown;
      mustNotShow(await trial.post(getFlow(flowId, trial.profile.fields), trial.stranger), shown, goal);
      mustRefuse(await trial.post(change("set_waiting", { flowId, revision }), trial.stranger));
      mustAccept(await trial.post(change("set_waiting", { flowId, revision })), "a change in its session accepted");
      mustAccept(await trial.post(await rightTask(trial, flowId)), "a child task of it in its session accepted");
    },
  },
  {
    id: "SESSION-EVERY-ROUTE",
    title: "Every route of a session can change the session's flows",
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
    id: "SESSION-NAMED-IN-BODY",
    title: "A body that names another session reaches none of its flows",
    clauses: ["SESSION-BOUND"],
    requests: 46,
    reading:
      "What becomes of a field that an action does not have is open, but it gives no other session's authority. Each is " +
      "sent by itself: a target that refuses unknown fields would not come as far as the one that it knows.",
    async run(trial) {
      const { route, stranger } = trial;
      const { fields } = trial.profile;
      mustTakeTwin(await trial.post(createFlow(), stranger));
      const { flowId } = await trial.flow();
      const resolved = await trial.post(resolveFlow(route.sessionKey, fields), stranger);
      check(!shows(resolved, flowId), "no flow of another session whose key is the token", "one", resolved);
      for (const name of sessionFields) {
        const flow = await trial.flow();
        const valueOf = (named: ConfiguredRoute) => (name === "routeId" ? named.id : named.sessionKey);
        const asked = (body: ActionBody) => trial.post({ ...body, [name]: valueOf(route) }, stranger);
        const mustNotReach = (exchange: Exchange, flowId: string) =>
          check(!shows(exchange, flowId), `no flow of another session that ${name} names`, "one", exchange);
        mustRefuse(await asked(change("set_waiting", flow)));
        for (const body of [getFlow(flow.flowId, fields), { action: "list_flows" }])
          mustNotReach(await asked(body), flow.flowId);
        const [made] = [await asked(createFlow())].filter(isAccepted).flatMap(flowsOf);
        if (made !== undefined) mustNotReach(await trial.post(getFlow(made.flowId, fields)), made.flowId);
        const changed = await trial.post({ ...change("set_waiting", flow), [name]: valueOf(stranger) });
        const now = isAccepted(changed) ? await flowAfter(trial, changed, flow.flowId) : flow;
        mustRefuse(await trial.post(change("finish_flow", now), stranger));
        mustAccept(await trial.post(change("finish_flow", now)), `the flow still its own after a change with ${name}`);
      }
    },
  },
  flowRows({
    id: "SESSION-MANY-FLOWS",
    title: `A session with ${FLOWS} flows still shows the first of them, and none of another session`,
    clauses: [
      "SESSION-BOUND",
      "ACTION-GET-FLOW",
      "ACTION-LIST-FLOWS",
      "ACTION-RESOLVE-FLOW",
      "ACTION-FIND-LATEST-FLOW",
      "STATE-CREATE",
    ],
    requests: 120,
    reading:
      "How many flows a session may have is open: a target that refuses to make more is judged by those that it has.",
    table: { factors: { flows: [String(FLOWS)], "made by": ["two routes"] } },
    async play(play) {
      const { world } = play;
      await createNamed(play, "f1", "stranger");
      for (let count = 2; count <= FLOWS + 1; count += 1)
        await createNamed(play, `f${count}`, count % 2 === 0 ? "route" : "sibling");
      for (const action of ["get_flow", "resolve_flow"] as const)
        await play.send(readOf(world, action, `f${FLOWS + 1}`), readOf(world, action, "f2"));
      for (const route of ["route", "stranger"] as const) await play.send(readOf(world, "list_flows", "f2", route));
      // One that each of the two routes has made.
      for (const name of ["f2", "f3"])
        await play.send(apart, sendOf(world, "set_waiting", name), readOf(world, "find_latest_flow", name));
    },
  }),
];
