/** Section 1: a route neither sees nor changes the TaskFlows of another session. */
import { randomUUID } from "node:crypto";
import { resolveFlow } from "../../interface/bodies.ts";
import { describe, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf } from "../../harness/checks.ts";
import { envelopeFault } from "../../harness/envelope.ts";
import { mustBeGuarded, mustHelp } from "../../harness/flows.ts";
import { mustNotShow } from "../../harness/strangers.ts";

const told = (exchange: Exchange) => `${describe(exchange)}, flows: ${flowsOf(exchange).length}`;

/** Reads that name no flow. */
const views = ["list_flows", "find_latest_flow"] as const;

export const foreignSessionCases: readonly Case[] = [
  {
    id: "SESSION-FOREIGN-KEY-AS-TOKEN",
    title: "resolve_flow gives no flow for the session key of another session",
    clauses: ["SESSION-BOUND"],
    requests: 6,
    reading: "A token is opaque, but whatever it is, it opens no other session.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const flow = await trial.flow({ goal });
      const { fields } = trial.profile;
      mustHelp(await trial.post(resolveFlow(flow.flowId, fields)), "resolve_flow");
      mustNotShow(await trial.post(resolveFlow(trial.route.sessionKey, fields), trial.stranger), flow, goal);
    },
  },
  {
    id: "SESSION-KEY-NOT-CONFIRMED",
    title: "resolve_flow answers the key of its own session as it answers any other text",
    clauses: ["NO-METADATA"],
    level: "should",
    requests: 5,
    reading:
      "The key is in no answer, but an answer that only the right key gets confirms a guessed one. What else may be a " +
      "token is open.",
    async run(trial) {
      const { fields } = trial.profile;
      const { flowId } = await trial.flow();
      mustHelp(await trial.post(resolveFlow(flowId, fields)), "resolve_flow");
      const { sessionKey } = trial.route;
      const wrong = await trial.post(resolveFlow(`${sessionKey}-${randomUUID()}`, fields));
      const right = await trial.post(resolveFlow(sessionKey, fields));
      check(told(right) === told(wrong), `the answer to a wrong key (${told(wrong)})`, told(right), wrong, right);
    },
  },
  {
    id: "SESSION-EMPTY-READS",
    title: "Where a session has no flow, list_flows and find_latest_flow show none, in the envelope",
    clauses: ["SESSION-BOUND", "ENVELOPE-OK", "ENVELOPE-RESULT"],
    requests: 6,
    reading: "Whether that is a success without a flow or a refusal is open.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const flow = await trial.flow({ goal });
      const quiet = trial.special("quiet");
      await mustBeGuarded(trial, quiet);
      for (const action of views) {
        const exchange = await trial.post({ action }, quiet);
        const fault = envelopeFault(exchange, quiet.id);
        check(fault === undefined, `the envelope as the answer to ${action}`, fault?.actual ?? "", exchange);
        check(flowsOf(exchange).length === 0, `${action} without a flow`, "a flow", exchange);
        mustNotShow(exchange, flow, goal);
      }
    },
  },
];
