/** Section 1: a configuration with several bad routes. A target may refuse it as a whole or leave just those out. */
import { createFlow } from "../../../fixtures/bodies.ts";
import { validRequest, withHeader, withoutHeader, withPath } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check } from "../../harness/checks.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { openedBy, openFields, severalBad } from "../../targets/variants.ts";
import { guesses, probeServed, refusedAsAWhole } from "./configuration.ts";

const common = { level: "must", variant: "severalBad" } as const;

function mustNotAccept(exchange: Exchange, what: string): void {
  const refused = exchange.answer !== undefined && !isAccepted(exchange);
  check(refused, `a refusal at ${what}`, describe(exchange), exchange);
}

export const badConfigurationCases: readonly Case[] = [
  {
    ...common,
    id: "CONFIG-SEVERAL-BAD",
    title: "Of several bad routes in one configuration none lets anybody in",
    clauses: ["CONFIG-SESSION-KEY", "CONFIG-SECRET"],
    requests: 24,
    reading: `${refusedAsAWhole} The first fault is not the last one.`,
    async run(trial) {
      await probeServed(trial);
      for (const { id } of [severalBad.noSessionKey, severalBad.noSecret]) {
        for (const request of guesses(trial, trial.routeOf(id)))
          mustNotAccept(await trial.send(request), `route ${id}`);
      }
      await probeServed(trial);
    },
  },
  {
    ...common,
    id: "CONFIG-PATH-SPELLED",
    title: "Of two routes whose paths a router may take for one, only one secret is accepted at a path",
    clauses: ["CONFIG-PATH-UNIQUE"],
    requests: 16,
    reading: "The paths differ by letter case and a slash at the end: a target may serve them as two, or refuse them.",
    async run(trial) {
      await probeServed(trial);
      const routes = [trial.routeOf(severalBad.spelled.id), trial.routeOf(severalBad.spelledOtherwise.id)];
      for (const path of [...routes.map((route) => route.path), `${severalBad.spelled.path}/`, "/hooks/Spelled"]) {
        const answers: Exchange[] = [];
        for (const route of routes) answers.push(await trial.send(withPath(validRequest(route, createFlow()), path)));
        const accepted = answers.filter(isAccepted);
        check(accepted.length < 2, `at most one secret accepted at ${path}`, "both secrets accepted", ...accepted);
      }
    },
  },
  {
    ...common,
    id: "CONFIG-UNKNOWN-FIELDS",
    title: "Fields that a route entry does not have do not open the route",
    clauses: ["AUTH-REQUIRED", "CONFIG-SECRET"],
    requests: 6,
    reading: "Entries say `auth: none` and the like beside their secrets. A target may leave such routes out.",
    async run(trial) {
      await probeServed(trial);
      for (const [field, value] of Object.entries(openFields)) {
        const right = validRequest(trial.routeOf(openedBy(field)), createFlow());
        const bare = withoutHeader(right, "authorization");
        for (const request of [bare, withHeader(right, "authorization", "Bearer wrong")]) {
          mustNotAccept(await trial.send(request), `a route with \`${field}: ${value}\``);
        }
      }
    },
  },
];
