/** Section 1: what a route is told that has nothing of its own to see, or asks about another's with a wrong revision. */
import { randomUUID } from "node:crypto";
import { change } from "../../../fixtures/bodies.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf, mustRefuse, setUp } from "../../harness/checks.ts";
import { describe, envelopeOf } from "../../http/exchange.ts";
import { changeActions, changed, guarded } from "../../harness/flows.ts";
import { mustNotShow } from "./sessions.ts";

/** Reads that name no flow. */
const views = ["list_flows", "find_latest_flow"] as const;

export const strangerCases: readonly Case[] = [
  {
    id: "SESSION-EMPTY-READS",
    title: "Where a session has no flow, list_flows and find_latest_flow show none, in the envelope",
    clauses: ["SESSION-BOUND", "ENVELOPE-OK", "ENVELOPE-RESULT"],
    level: "must",
    requests: 6,
    reading: "Whether that is a success without a flow or a refusal is open.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const flow = await trial.flow({ goal });
      const quiet = trial.special("quiet");
      await guarded(trial, quiet);
      for (const action of views) {
        const exchange = await trial.post({ action }, quiet);
        const { ok, result } = envelopeOf(exchange) ?? {};
        const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
        check(
          typeof ok === "boolean" && isObject,
          `the envelope as the answer to ${action}`,
          describe(exchange),
          exchange,
        );
        check(flowsOf(exchange).length === 0, `${action} without a flow`, "a flow", exchange);
        mustNotShow(exchange, flow, goal);
      }
    },
  },
  {
    id: "SESSION-FOREIGN-CONFLICT",
    title: "A change of a flow of another session with a revision that it does not have shows nothing of it",
    clauses: ["SESSION-BOUND"],
    level: "must",
    requests: 16,
    reading:
      "Whose flow it is goes before its revision: a conflict that shows the current flow would show it to anybody.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const stale = await trial.flow({ goal });
      const flow = await changed(trial, "set_waiting", stale);
      const ahead = { ...flow, revision: flow.revision + 1 };
      for (const action of changeActions) {
        for (const wrong of [stale, ahead]) {
          mustNotShow(mustRefuse(await trial.post(change(action, wrong), trial.stranger)), flow, goal);
        }
      }
      setUp(await trial.post(change("finish_flow", flow)), "finish_flow of its own flow");
    },
  },
];
