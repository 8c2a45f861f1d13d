/** Section 5: routes of which the source holds nothing, source by source. */
import { createFlow } from "../../../fixtures/bodies.ts";
import { validRequest, withoutHeader } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { mustRefuse, twin } from "../../harness/checks.ts";
import { specialRoutes } from "../../targets/standard-routes.ts";
import { bothHeaders } from "./secrets.ts";

export const coldSourceCases: readonly Case[] = (
  [
    ["file", "coldFile"],
    ["exec", "coldExec"],
    ["store", "coldStore"],
  ] as const
).map(([name, special]) => ({
  id: `SECRET-COLD-${name.toUpperCase()}`,
  title: `A route whose source ${name} holds nothing for it answers 401 to everybody`,
  clauses: ["COLD-ROUTE", "COLD-OTHERS"],
  level: "must",
  needs: [`secret-${name}`],
  requests: 12,
  async run(trial) {
    twin(await trial.post(createFlow(), trial.special("explicitlyEnabled")));
    const right = validRequest(trial.special(special), createFlow());
    const { id } = specialRoutes[special];
    const values = ["", "undefined", "null", "[object Object]", id].flatMap((text) => bothHeaders(trial, right, text));
    for (const request of [right, withoutHeader(right, "authorization"), ...values]) {
      mustRefuse(await trial.send(request), { status: 401 });
    }
  },
}));
