/** Section 4: two other methods in their plainest form; in every form they are rows of request-rows.ts. */
import { withBody, withMethod, type Request } from "../../interface/request.ts";
import { describe } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustTakeTwin } from "../../harness/checks.ts";

interface Method extends Pick<Case, "id" | "title"> {
  change(right: Request): Request;
}

const methods: readonly Method[] = [
  { id: "METHOD-GET", title: "GET is refused", change: (right) => withBody(withMethod(right, "GET"), "") },
  { id: "METHOD-PUT", title: "PUT is refused", change: (right) => withMethod(right, "PUT") },
];

export const methodCases: readonly Case[] = methods.map(({ change, ...about }) => ({
  ...about,
  clauses: ["METHOD-POST"],
  requests: 2,
  async run(trial) {
    mustTakeTwin(await trial.send(trial.right()));
    const exchange = await trial.send(change(trial.right()));
    check((exchange.answer?.status ?? 0) >= 400, "a refusal", describe(exchange), exchange);
  },
}));
