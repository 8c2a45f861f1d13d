/** Section 5: routes whose secret could not be resolved at startup. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { createFlow } from "../../interface/bodies.ts";
import { withBearer } from "../../interface/request.ts";
import { envelopeOf } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";

export const coldRouteCases: readonly Case[] = [
  {
    id: "SECRET-COLD-REGISTERED",
    title: "A route whose secret could not be resolved answers in its own name",
    clauses: ["COLD-ROUTE"],
    requests: 2,
    reading:
      "Registered means that the route itself answers: the envelope of its 401 has its routeId. A target whose 401 never has one cannot show it.",
    async run(trial) {
      const live = trial.right(createFlow(), trial.special("explicitlyEnabled"));
      mustTakeTwin(await trial.send(live));
      const usual = envelopeOf(await trial.send(withBearer(live, `wrong-${randomUUID()}`)));
      if (usual?.routeId === undefined) throw new NotApplicable("no 401 of the target has a routeId");
      const cold = trial.special("cold");
      const exchange = mustRefuse(await trial.post(createFlow(), cold), { status: 401 });
      const { ok, routeId } = envelopeOf(exchange) ?? {};
      check(ok === false && routeId === cold.id, "an envelope with the route's routeId", "none", exchange);
    },
  },
  {
    id: "SECRET-COLD-GENERIC",
    title: "The 401 of a route without its secret reads like that of a wrong secret",
    clauses: ["COLD-ROUTE"],
    level: "should",
    requests: 2,
    reading: "Generic: code, error, result and challenge are those of any other authentication failure.",
    async run(trial) {
      const live = trial.right(createFlow(), trial.special("explicitlyEnabled"));
      mustTakeTwin(await trial.send(live));
      const wrong = `wrong-${randomUUID()}`;
      const usual = mustRefuse(await trial.send(withBearer(live, wrong)), { status: 401 });
      const cold = mustRefuse(await trial.send(withBearer(trial.right(createFlow(), trial.special("cold")), wrong)), {
        status: 401,
      });
      for (const field of ["code", "error", "result"] as const) {
        const same = isDeepStrictEqual(envelopeOf(usual)?.[field], envelopeOf(cold)?.[field]);
        check(same, `the ${field} of any other 401`, `another ${field}`, usual, cold);
      }
      const [usualChallenge, coldChallenge] = [usual, cold].map((exchange) =>
        exchange.answer?.headers.get("www-authenticate")?.join(", "),
      );
      check(usualChallenge === coldChallenge, "the challenge of any other 401", "another challenge", usual, cold);
    },
  },
  {
    id: "SECRET-COLD-OTHERS",
    title: "Other routes work beside one whose secret could not be resolved",
    clauses: ["COLD-OTHERS"],
    requests: 3,
    reading: "Also the routes that share its session and its kind of secret.",
    async run(trial) {
      mustRefuse(await trial.post(createFlow(), trial.special("cold")), { status: 401 });
      for (const route of [trial.special("explicitlyEnabled"), trial.route, trial.sibling, trial.stranger]) {
        mustAccept(await trial.post(createFlow(), route));
      }
    },
  },
  {
    id: "SECRET-COLD-RESTART",
    title: "After a restart the secret of a corrected source is accepted",
    clauses: ["COLD-RESTART"],
    variant: "secretResolved",
    requests: 2,
    async run(trial) {
      const request = trial.right(createFlow(), trial.special("cold"));
      mustAccept(await trial.send(request));
      mustRefuse(await trial.send(withBearer(request, `wrong-${randomUUID()}`)), { status: 401 });
    },
  },
];
