/** Section 5: wrong secrets in headers that HTTP itself may refuse. */
import { withAnotherHeader, withBearer, withHeader, withProductHeader } from "../../interface/request.ts";
import { describe, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";

/** A header that HTTP does not allow may be refused for that. */
function mustBeUnauthorizedOrBad(exchange: Exchange): void {
  const { status = 0 } = exchange.answer ?? {};
  check(status === 401 || status === 400, "401 or 400", describe(exchange), exchange);
}

export const wrongSecretCases: readonly Case[] = [
  {
    id: "AUTH-SCHEME-LIST",
    title: "401 for the secret as Bearer behind other credentials",
    clauses: ["AUTH-REQUIRED"],
    level: "should",
    requests: 2,
    reading:
      "RFC 9110, 11.6.2: Authorization holds the credentials of one scheme. A proxy that merges two header lines makes such a list.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const list = withHeader(right, "authorization", `Basic x, Bearer ${trial.route.secret}`);
      mustRefuse(await trial.send(list), { status: 401 });
    },
  },
  {
    id: "AUTH-REPEATED",
    title: "401 for two wrong secrets in one header that is sent twice",
    clauses: ["AUTH-REQUIRED"],
    requests: 3,
    reading: "400 is as good: HTTP lets a server refuse a header that may be there once and is there twice.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const header = `x-${trial.product}-webhook-secret`;
      const twice = [
        withAnotherHeader(withBearer(right, "wrong"), "authorization", "Bearer other"),
        withAnotherHeader(withProductHeader(right, trial.product, "wrong"), header, "other"),
      ];
      for (const request of twice) {
        mustBeUnauthorizedOrBad(await trial.send(request));
      }
    },
  },
  {
    id: "AUTH-NON-ASCII",
    title: "401 for a wrong secret with bytes beyond ASCII, and the next request is served",
    clauses: ["AUTH-REQUIRED"],
    requests: 8,
    reading:
      "400 is as good: RFC 9110, 5.5 calls such bytes obsolete in a header. A comparison of texts of one length may be one " +
      "of unequal bytes, on which it fails in its own way.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const { secret } = trial.route;
      for (const wrong of [`${secret.slice(0, -1)}\u00e9`, "\u00e9".repeat(secret.length), "\u00c3\u00a9"]) {
        for (const request of [withBearer(right, wrong), withProductHeader(right, trial.product, wrong)]) {
          mustBeUnauthorizedOrBad(await trial.send(request));
        }
      }
      mustAccept(await trial.send(right), "the next request accepted");
    },
  },
];
