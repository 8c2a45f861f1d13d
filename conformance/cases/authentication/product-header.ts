/** Section 5: the secret in `x-<product>-webhook-secret` is as exact as that in Authorization, and as good. */
import { createFlow } from "../../../fixtures/bodies.ts";
import { validRequest, withHeader, withProductHeader, type Request } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, twin } from "../../harness/checks.ts";
import { describe } from "../../http/exchange.ts";
import { defects as plainDefects } from "./authentication.ts";
import { defects as oddDefects } from "./credentials.ts";
import { guarded } from "../../harness/flows.ts";

/** Credentials of schemes that are not the interface's. */
const otherCredentials = ["Basic dXNlcjpwYXNz", 'Digest username="user"'];

/** What a request sends as Bearer; undefined where that is nothing. */
function bearerOf({ headers }: Request): string | undefined {
  const [, value] = headers.find(([name]) => name === "authorization") ?? [];
  return value === undefined ? undefined : /^Bearer (\S.*)$/.exec(value)?.[1];
}

export const productHeaderCases: readonly Case[] = [
  {
    id: "AUTH-PRODUCT-ALMOST",
    title: "401 for what is almost the secret in the product header",
    clauses: ["AUTH-REQUIRED", "AUTH-PRODUCT-HEADER"],
    level: "must",
    requests: 30,
    reading: "Whatever is no secret as Bearer is none in the product header either.",
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(withProductHeader(right, trial.product, trial.route.secret)));
      for (const { title, spoil } of [...plainDefects, ...oddDefects]) {
        const value = bearerOf(spoil(right, trial));
        if (value === undefined) continue;
        const exchange = await trial.send(withProductHeader(right, trial.product, value));
        const expected = `401 for ${title}, in the product header`;
        check(exchange.answer?.status === 401, expected, describe(exchange), exchange);
      }
    },
  },
  {
    id: "AUTH-PRODUCT-BESIDE-OTHER-SCHEME",
    title: "The secret in the product header lets a request in also beside credentials of another scheme",
    clauses: ["AUTH-PRODUCT-HEADER"],
    level: "should",
    requests: 5,
    reading:
      "A proxy on the way may want an Authorization of its own. Only a Bearer one holds a secret of this interface; " +
      "that there may be no other is not said.",
    async run(trial) {
      const right = withProductHeader(validRequest(trial.route, createFlow()), trial.product, trial.route.secret);
      twin(await trial.send(right));
      for (const credentials of otherCredentials) {
        mustAccept(await trial.send(withHeader(right, "authorization", credentials)));
      }
      await guarded(trial, trial.route);
    },
  },
];
