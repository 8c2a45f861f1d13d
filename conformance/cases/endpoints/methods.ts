/** Section 4: two other methods in their plainest form; in every form they are rows of request-rows.ts. */
import { withBody, withMethod, type Request } from "../../interface/request.ts";
import { describe } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustTakeTwin } from "../../harness/checks.ts";

const methods: Readonly<Record<string, (right: Request) => Request>> = {
  GET: (right) => withBody(withMethod(right, "GET"), ""),
  PUT: (right) => withMethod(right, "PUT"),
};

export const methodCases: readonly Case[] = Object.entries(methods).map(([method, change]) => ({
  id: `METHOD-${method}`,
  title: `${method} is refused`,
  clauses: ["METHOD-POST"],
  requests: 2,
  async run(trial) {
    const right = trial.right();
    mustTakeTwin(await trial.send(right));
    const exchange = await trial.send(change(right));
    check((exchange.answer?.status ?? 0) >= 400, "a refusal", describe(exchange), exchange);
  },
}));
