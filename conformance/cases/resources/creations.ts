/** Sections 1, 3 and 8: create_flow makes one new flow, in the route's own session, of what this one request says. */
import { randomUUID } from "node:crypto";
import { change, createFlow } from "../../interface/bodies.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept, mustRefuse, setUp, mustTakeTwin, type FlowView } from "../../harness/checks.ts";
import { readBack, shownIn } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

/** A new flow as create_flow and get_flow show it. */
async function shownText(trial: Trial, created: Exchange, route: ConfiguredRoute): Promise<string> {
  const { flowId } = flowOf(created);
  const views: (FlowView | undefined)[] = [shownIn(created, flowId), await readBack(trial, flowId, route)];
  return JSON.stringify(views);
}

export const creationCases: readonly Case[] = [
  {
    id: "SESSION-HELD-BODY",
    title: "A request whose body comes after another route's request is carried out in its own route's session",
    clauses: ["SESSION-BOUND", "STATE-CREATE"],
    requests: 8,
    async run(trial) {
      const goal = `held ${randomUUID()}`;
      const request = trial.right(createFlow(goal));
      const upload = await trial.upload(request);
      await upload.write(request.body.byteLength - 1);
      await trial.barrier();
      mustTakeTwin(await trial.post(createFlow(), trial.stranger));
      const flow = flowOf(setUp(await trial.finish(upload), "create_flow whose last byte was held back"));
      mustRefuse(await trial.post(change("set_waiting", flow), trial.stranger));
      mustAccept(await trial.post(change("set_waiting", flow)), "the flow in the session of the route that was asked");
    },
  },
  {
    id: "CREATE-NOTHING-FROM-BEFORE",
    title: "A new flow holds nothing that another create_flow sent",
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
        for (const route of [trial.route, trial.stranger]) {
          const plain = setUp(await trial.post(createFlow(), route), "create_flow");
          const kept = (await shownText(trial, plain, route)).includes(text);
          check(!kept, `no ${name} of another create_flow`, "one", plain);
        }
      }
      if (shown === 0) throw new NotApplicable("no field beside the goal is taken and shown");
    },
  },
];
