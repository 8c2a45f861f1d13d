/** Section 5: more that could pass for the secret, on every action. */
import { createHash, randomUUID } from "node:crypto";
import { createFlow, smallest } from "../../../fixtures/bodies.ts";
import { actionNames } from "../../../fixtures/fields.ts";
import {
  validRequest,
  withAnotherHeader,
  withHeader,
  withoutHeader,
  withProductHeader,
  type Request,
} from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { describe, envelopeOf, type Exchange } from "../../http/exchange.ts";
import { refusalOf, type Defect } from "./authentication.ts";
import { guarded, helpful } from "../../harness/flows.ts";

const bearer = (request: Request, value: string) => withHeader(request, "authorization", `Bearer ${value}`);
const bare = (request: Request) => withoutHeader(request, "authorization");
const percentForm = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");

export const defects: readonly Defect[] = [
  {
    id: "BASE64",
    title: "the secret in base64",
    spoil: (right, { route }) => bearer(right, Buffer.from(route.secret).toString("base64")),
  },
  {
    id: "PERCENT",
    title: "the secret in percent-encoding",
    spoil: (right, { route }) => bearer(right, percentForm(route.secret)),
  },
  { id: "QUOTED", title: "the secret in quotes", spoil: (right, { route }) => bearer(right, `"${route.secret}"`) },
  {
    id: "DIGEST",
    title: "the secret's SHA-256 digest",
    spoil: (right, { route }) => bearer(right, createHash("sha256").update(route.secret).digest("hex")),
  },
  {
    id: "IN-LIST",
    title: "a list that holds the secret in the product header",
    spoil: (right, { product, route }) => withProductHeader(right, product, `wrong, ${route.secret}, wrong`),
  },
  {
    id: "LONGER-BY-A-WORD",
    title: "the secret with another word behind it",
    spoil: (right, { route }) => bearer(right, `${route.secret} x`),
  },
  {
    id: "SCHEME-ENDS-IN-BEARER",
    title: "the secret behind a scheme whose name ends in Bearer",
    spoil: (right, { route }) => withHeader(right, "authorization", `XBearer ${route.secret}`),
  },
  {
    id: "SCHEME-LIST",
    title: "the secret as Bearer behind other credentials",
    level: "should",
    reading:
      "RFC 9110, 11.6.2: Authorization holds one scheme's credentials. A proxy that merges two header lines makes such a list.",
    spoil: (right, { route }) => withHeader(right, "authorization", `Basic x, Bearer ${route.secret}`),
  },
  {
    id: "BOTH-WRONG",
    title: "a wrong secret in both headers",
    spoil: (right, { product }) => withHeader(bearer(right, "wrong"), `x-${product}-webhook-secret`, "wrong"),
  },
];

/**
 * Headers that look like the two that count; none with "_" in place of "-", which CGI hosts cannot tell apart (RFC 3875,
 * 4.1.18). `product`: the product's name.
 */
const lookalikes = (product: string) => [
  "proxy-authorization",
  "x-authorization",
  "x-api-key",
  "x-auth-token",
  `x-${product}-secret`,
  `x-${product}-webhook-token`,
  `${product}-webhook-secret`,
  "x-webhook-token",
  "x-token",
  "x-secret",
  "x-access-token",
  "x-shared-secret",
  "x-gitlab-token",
  "x-hub-signature",
  "x-hub-signature-256",
];

/** A header that HTTP does not let be as it is may be refused as such. */
function mustBeUnauthorizedOrBad(exchange: Exchange): void {
  const { status = 0 } = exchange.answer ?? {};
  check(status === 401 || status === 400, "401 or 400", describe(exchange), exchange);
}

export const credentialCases: readonly Case[] = [
  ...defects.map(refusalOf),
  {
    id: "AUTH-REPEATED",
    title: "401 for two wrong secrets in one header that is sent twice",
    clauses: ["AUTH-REQUIRED"],
    level: "must",
    requests: 3,
    reading: "400 is as good: HTTP lets a server refuse a header that may be there once and is there twice.",
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      const header = `x-${trial.product}-webhook-secret`;
      const twice = [
        withAnotherHeader(bearer(right, "wrong"), "authorization", "Bearer other"),
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
    level: "must",
    requests: 8,
    reading:
      "400 is as good: RFC 9110, 5.5 calls such bytes obsolete in a header. A comparison of texts of one length may be one " +
      "of unequal bytes, on which it fails in its own way.",
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      const { secret } = trial.route;
      for (const wrong of [`${secret.slice(0, -1)}\u00e9`, "\u00e9".repeat(secret.length), "\u00c3\u00a9"]) {
        for (const request of [bearer(right, wrong), withProductHeader(right, trial.product, wrong)]) {
          mustBeUnauthorizedOrBad(await trial.send(request));
        }
      }
      mustAccept(await trial.send(right), "the next request accepted");
    },
  },
  {
    id: "AUTH-OTHER-HEADERS",
    title: "401 for the secret in headers that look like the two that count",
    clauses: ["AUTH-REQUIRED"],
    level: "must",
    requests: 34,
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      for (const name of lookalikes(trial.product)) {
        for (const value of [trial.route.secret, `Bearer ${trial.route.secret}`]) {
          const exchange = await trial.send(withHeader(bare(right), name, value));
          check(exchange.answer?.status === 401, `401 for the secret in ${name}`, describe(exchange), exchange);
        }
      }
    },
  },
  {
    id: "AUTH-EVERY-ACTION",
    title: "401 without the secret, whatever the action",
    clauses: ["AUTH-REQUIRED"],
    level: "must",
    requests: 16,
    reading: "Also for actions that only read: the secret is asked for before the body is looked at.",
    async run(trial) {
      const flow = await trial.flow();
      for (const action of actionNames) {
        const request = bare(validRequest(trial.route, smallest(action, flow, trial.profile.fields)));
        const exchange = await trial.send(request);
        check(exchange.answer?.status === 401, `401 for ${action}`, describe(exchange), exchange);
      }
    },
  },
  {
    id: "AUTH-BOTH-RIGHT",
    title: "The secret in both headers lets a request in",
    clauses: ["AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
    level: "should",
    requests: 3,
    reading: "Either header is enough; the interface does not say that the other one may not be there.",
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      mustAccept(await trial.send(withHeader(right, `x-${trial.product}-webhook-secret`, trial.route.secret)));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-ALL-CHARACTERS",
    title: "A secret with every kind of character that Bearer credentials may have lets a request in",
    clauses: ["SECRET-PLAIN", "AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
    level: "must",
    requests: 4,
    reading: "RFC 6750, 2.1: letters, digits and -._~+/ with = behind them, so every secret in base64.",
    async run(trial) {
      const route = trial.special("allCharacters");
      const right = validRequest(route, createFlow());
      mustAccept(await trial.send(right), "the secret as Bearer accepted");
      mustAccept(
        await trial.send(withProductHeader(right, trial.product, route.secret)),
        "the secret in the product header accepted",
      );
      await guarded(trial, route);
    },
  },
  {
    id: "AUTH-NO-EFFECT",
    title: "A request that is not let in creates nothing",
    clauses: ["AUTH-REQUIRED"],
    level: "must",
    requests: 6,
    async run(trial) {
      const goal = `not let in ${randomUUID()}`;
      const right = validRequest(trial.route, createFlow(goal));
      mustRefuse(await trial.send(bearer(right, "wrong")), { status: 401 });
      twin(await trial.post(createFlow(`let in ${goal}`)));
      const after = helpful(await trial.post({ action: "list_flows" }), "list_flows");
      const text = JSON.stringify(envelopeOf(after)?.result);
      if (!text.includes(`let in ${goal}`)) throw new NotApplicable("list_flows does not show a flow's goal");
      check(!text.replaceAll(`let in ${goal}`, "").includes(goal), "no flow of the refused request", "one", after);
    },
  },
];
