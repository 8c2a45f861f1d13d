/** Section 4: two other methods in their plainest form; in every form they are rows of request-rows.ts. */
import { withBody, withMethod } from "../../interface/request.ts";
import { describe } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustTakeTwin } from "../../harness/checks.ts";

export const methodCases: readonly Case[] = ["GET", "PUT"].map((method) => ({
  id: `METHOD-${method}`,
  title: `${method} is refused`,
  clauses: ["METHOD-POST"],
  requests: 2,
  async run(trial) {
    const right = trial.right();
    mustTakeTwin(await trial.send(right));
    const exchange = await trial.send(withMethod(method === "GET" ? withBody(right, "") : right, method));
    check((exchange.answer?.status ?? 0) >= 400, "a refusal", describe(exchange), exchange);
  },
}));
