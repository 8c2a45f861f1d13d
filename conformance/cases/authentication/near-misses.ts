/** Section 5: what is nearly the secret, in each of the two headers that count. */
import { createHash, createHmac } from "node:crypto";
import { withBearer, withProductHeader, type Request } from "../../interface/request.ts";
import { describe } from "../../http/exchange.ts";
import { everyCell } from "../../harness/cells.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, twin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

/** `body`: that of the request that it is sent with. */
type Miss = readonly [what: string, make: (secret: string, trial: Trial, body: Uint8Array) => string];

const hex = (text: string) => Buffer.from(text).toString("hex");
const middle = (secret: string) => Math.floor(secret.length / 2);
const percentAt = (secret: string, index: number) =>
  `${secret.slice(0, index)}%${hex(secret.charAt(index))}${secret.slice(index + 1)}`;
const otherAt = (secret: string, index: number) =>
  secret.slice(0, index) + (secret.charAt(index) === "0" ? "1" : "0") + secret.slice(index + 1);

/** Wrong values that are rows of `wrong-secrets.ts` are not repeated here. */
const misses: readonly Miss[] = [
  ["the secret without its first character", (secret) => secret.slice(1)],
  ["the secret without its last character", (secret) => secret.slice(0, -1)],
  [
    "the secret without its middle character",
    (secret) => secret.slice(0, middle(secret)) + secret.slice(middle(secret) + 1),
  ],
  ["the secret with another first character", (secret) => otherAt(secret, 0)],
  ["the secret with another middle character", (secret) => otherAt(secret, middle(secret))],
  ["the secret twice", (secret) => secret + secret],
  ["the secret twice, with a comma", (secret) => `${secret}, ${secret}`],
  ["the secret behind a wrong one", (secret) => `wrong ${secret}`],
  ["the secret with an equals sign behind it", (secret) => `${secret}=`],
  ["the secret with a semicolon behind it", (secret) => `${secret}; v=1`],
  ["the secret with a blank inside", (secret) => `${secret.slice(0, 6)} ${secret.slice(6)}`],
  ["the secret with its first letter capital", (secret) => secret.charAt(0).toUpperCase() + secret.slice(1)],
  ["the secret with one character escaped for a URL", (secret) => percentAt(secret, 0)],
  ["the secret with its last character escaped for a URL", (secret) => percentAt(secret, secret.length - 1)],
  ["the secret with one character escaped for JSON", (secret) => `\\u00${hex(secret.charAt(0))}${secret.slice(1)}`],
  ["the secret in single quotes", (secret) => `'${secret}'`],
  ["the secret in angle brackets", (secret) => `<${secret}>`],
  ["the secret as a named value", (secret) => `secret=${secret}`],
  ["the secret behind Bearer once more", (secret) => `Bearer ${secret}`],
  ["the secret in hex", hex],
  ["the secret in base64 for URLs", (secret) => Buffer.from(secret).toString("base64url")],
  ["the secret's digest, named", (secret) => `sha256=${createHash("sha256").update(secret).digest("hex")}`],
  [
    "the body signed with the secret",
    (secret, _trial, body) => createHmac("sha256", secret).update(body).digest("hex"),
  ],
  ["a wildcard", () => "*"],
  ["a pattern that fits everything", () => ".*"],
  ["the text undefined", () => "undefined"],
  ["the text null", () => "null"],
  ["the text [object Object]", () => "[object Object]"],
  ["the variable's name", (_secret, { route }) => route.variable],
  ["the variable as the shell has it", (_secret, { route }) => `$${route.variable}`],
  ["the variable in braces", (_secret, { route }) => `\${${route.variable}}`],
  ["the SecretRef's text", (_secret, { route }) => `env:default:${route.variable}`],
  ["the route's path", (_secret, { route }) => route.path],
  ["the session's key", (_secret, { route }) => route.sessionKey],
  ["the product's name", (_secret, { product }) => product],
  ["the secret of a disabled route", (_secret, trial) => trial.special("disabled").secret],
  ["what would be the secret of a route without one", (_secret, trial) => trial.special("cold").secret],
  ["the secret of a route of another session", (_secret, trial) => trial.special("probe").secret],
];

const headers: Readonly<Record<string, (request: Request, value: string, trial: Trial) => Request>> = {
  "as Bearer": withBearer,
  "in the product header": (request, value, { product }) => withProductHeader(request, product, value),
};

export const nearMissCases: readonly Case[] = [
  {
    id: "AUTH-NEAR-MISSES",
    title: "401 for what is nearly the secret, in either header, and the right secret is accepted afterwards",
    clauses: ["AUTH-REQUIRED", "AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
    requests: 2 * misses.length + 4,
    reading: "Only the exact secret lets a request in; any number of wrong ones before it does not shut it out.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const visit = everyCell(
        trial,
        misses.map(([what]) => what),
        Object.keys(headers),
      );
      for (const [what, make] of misses) {
        for (const [header, put] of Object.entries(headers)) {
          const exchange = await trial.send(put(right, make(trial.route.secret, trial, right.body), trial));
          check(exchange.answer?.status === 401, `401 for ${what} ${header}`, describe(exchange), exchange);
          visit(what, header);
        }
      }
      for (const put of Object.values(headers)) {
        const exchange = await trial.send(put(right, trial.route.secret, trial));
        mustAccept(exchange, `the right secret accepted after ${2 * misses.length} wrong ones`);
      }
    },
  },
];
