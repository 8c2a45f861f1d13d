/** Section 5: how authentication failures are answered, all of them alike. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { createFlow } from "../../interface/bodies.ts";
import { withBearer, withHeader, withoutSecret, withProductHeader } from "../../interface/request.ts";
import { describe, envelopeOf, textOf, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { third } from "./secret-rows.ts";

/** What an answer says, but for the route's path and name. */
function partsOf(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { status, headers } = exchange.answer ?? {};
  const envelope = envelopeOf(exchange);
  const { code, error, result, routeId } = envelope ?? {};
  const body = envelope === undefined ? { body: exchange.answer && textOf(exchange.answer) } : { code, error, result };
  const parts = { status, ...body, challenge: headers?.get("www-authenticate")?.join() };
  const names = [exchange.request.path, ...(typeof routeId === "string" && routeId !== "" ? [routeId] : [])];
  const unnamed = (text: unknown): unknown =>
    typeof text === "string" ? names.reduce((rest, name) => rest.replaceAll(name, "*"), text) : text;
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, unnamed(value)]));
}

/** Fails unless two refusals say the same. */
function mustBeAlike(first: Exchange, other: Exchange, spared?: "challenge"): void {
  const [usual, own] = [partsOf(first), partsOf(other)];
  for (const part of new Set([...Object.keys(usual), ...Object.keys(own)])) {
    const isSame = part === spared || isDeepStrictEqual(usual[part], own[part]);
    const expected = `the ${part} of any other authentication failure`;
    check(isSame, expected, `another ${part} (${describe(other)})`, first, other);
  }
}

export const refusalCases: readonly Case[] = [
  {
    id: "AUTH-SAME-ANSWER",
    title: "An authentication failure does not say what was wrong",
    clauses: ["AUTH-REQUIRED"],
    level: "should",
    requests: 8,
    reading:
      "Status, body and challenge are the same for a wrong, a missing, an empty and a cut secret; but a challenge names no error where no secret came (RFC 6750, 3.1).",
    async run(trial) {
      const right = trial.right();
      mustTakeTwin(await trial.send(right));
      const wrong = mustRefuse(await trial.send(withBearer(right, "wrong")), { status: 401 });
      const missing = [
        withoutSecret(right),
        withHeader(right, "authorization", "Bearer "),
        withHeader(right, "authorization", "Basic d3Jvbmc6d3Jvbmc="),
      ];
      const others = [
        withProductHeader(right, trial.product, "wrong"),
        withBearer(right, third(trial.route.secret)),
        withBearer(right, trial.sibling.secret),
      ];
      await trial.each(missing, async (request) => mustBeAlike(wrong, await trial.send(request), "challenge"));
      await trial.each(others, async (request) => mustBeAlike(wrong, await trial.send(request)));
    },
  },
  {
    id: "SECRET-COLD-GENERIC",
    title: "The 401 of a route without its secret reads like that of a wrong secret",
    clauses: ["COLD-ROUTE"],
    requests: 2,
    reading: "Generic: code, error, result and challenge are those of any other authentication failure.",
    async run(trial) {
      const live = trial.right(createFlow(), trial.special("explicitlyEnabled"));
      mustTakeTwin(await trial.send(live));
      const wrong = `wrong-${randomUUID()}`;
      const usual = mustRefuse(await trial.send(withBearer(live, wrong)), { status: 401 });
      const cold = withBearer(trial.right(createFlow(), trial.special("cold")), wrong);
      mustBeAlike(usual, mustRefuse(await trial.send(cold), { status: 401 }));
    },
  },
];
