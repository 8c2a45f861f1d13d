/** Section 5: which requests the shared secret lets in, and how the others are refused. */
import { createFlow, smallest } from "../../interface/bodies.ts";
import { actionNames } from "../../interface/fields.ts";
import {
  withAnotherHeader,
  withBearer,
  withHeader,
  withoutSecret,
  withProductHeader,
  type Request,
} from "../../interface/request.ts";
import { describe, sayingOf, type Exchange } from "../../http/exchange.ts";
import { levelOf, type Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { guarded } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";
import { third } from "./secret-rows.ts";

/** Fails unless both answers are the same, apart from headers with a date and, if `spared`, the challenge. */
function mustBeAlike(first: Exchange, other: Exchange, spared?: "challenge"): void {
  const [a, b] = [first.answer, other.answer];
  check(a !== undefined && b !== undefined, "an answer", describe(a === undefined ? first : other), first, other);
  if (a === undefined || b === undefined) return;
  check(a.status === b.status, `the status of any other wrong secret (${a.status})`, `${b.status}`, first, other);
  check(sayingOf(first) === sayingOf(other), "the same body", "another body", first, other);
  if (spared === "challenge") return;
  const challenges = [a, b].map(({ headers }) => headers.get("www-authenticate")?.join());
  check(challenges[0] === challenges[1], "the same challenge", "another challenge", first, other);
}

interface Rule extends Omit<Case, "run"> {
  /** The request without what the rule is about; as a client sends it most often by default. */
  plain?(sent: Sent): Request;
  /** Let in, by what each has. */
  lets?(sent: Sent, trial: Trial): Readonly<Record<string, Request>>;
  /** Refused with 401, before those that are let in. */
  refuses?(sent: Sent, trial: Trial): readonly Request[];
  /** HTTP lets a server refuse such a header for itself: 400 is as good. */
  readonly orBad?: true;
}

/** What the requests of a rule are made of. */
interface Sent {
  readonly right: Request;
  readonly secret: string;
  /** The product header's name. */
  readonly header: string;
  /** The right request with this value in the product header alone. */
  inHeader(value: string): Request;
}

/** The right secret in one of the two headers, and a wrong one in the other. */
const withRight = ({ right, header, secret }: Sent, isBearer: boolean): Request =>
  isBearer ? withHeader(right, header, "wrong") : withHeader(withBearer(right, "wrong"), header, secret);

/** What refuses, or is no must, says something only beside the plain request. */
const rule = ({ plain = ({ right }) => right, lets, refuses, orBad, ...about }: Rule): Case => ({
  ...about,
  async run(trial) {
    const right = trial.right();
    const sent: Sent = {
      right,
      secret: trial.route.secret,
      header: `x-${trial.product}-webhook-secret`,
      inHeader: (value) => withProductHeader(right, trial.product, value),
    };
    if (refuses !== undefined || levelOf(about) !== "must") twin(await trial.send(plain(sent)));
    for (const request of refuses?.(sent, trial) ?? []) {
      const exchange = await trial.send(request);
      if (orBad !== true) mustRefuse(exchange, { status: 401 });
      else check([400, 401].includes(exchange.answer?.status ?? 0), "401 or 400", describe(exchange), exchange);
    }
    for (const [what, request] of Object.entries(lets?.(sent, trial) ?? {}))
      mustAccept(await trial.send(request), `${what} accepted`);
    if (refuses === undefined) await guarded(trial, trial.route);
  },
});

export const credentialCases: readonly Case[] = [
  rule({
    id: "AUTH-BEARER",
    title: "The secret as Bearer lets a request in",
    clauses: ["AUTH-BEARER"],
    requests: 2,
    lets: ({ right }) => ({ "the secret as Bearer": right }),
  }),
  rule({
    id: "AUTH-WRONG",
    title: "401 for a wrong secret",
    clauses: ["AUTH-REQUIRED"],
    requests: 2,
    refuses: ({ right }) => [withBearer(right, "wrong")],
  }),
  rule({
    id: "AUTH-PRODUCT-HEADER",
    title: "The secret in x-<product>-webhook-secret lets a request in, without Authorization",
    clauses: ["AUTH-PRODUCT-HEADER"],
    requests: 3,
    lets: ({ right, secret, inHeader }, { product }) => ({
      "the secret in the product header": inHeader(secret),
      "the header's name in capital letters": withHeader(
        withoutSecret(right),
        `X-${product.toUpperCase()}-Webhook-Secret`,
        secret,
      ),
    }),
  }),
  rule({
    id: "AUTH-BOTH-RIGHT",
    title: "The secret in both headers lets a request in",
    clauses: ["AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
    level: "should",
    requests: 3,
    reading: "Either header is enough; the interface does not forbid the other.",
    lets: ({ right, header, secret }) => ({ "the secret in both headers": withHeader(right, header, secret) }),
  }),
  rule({
    id: "AUTH-PRODUCT-BESIDE-OTHER-SCHEME",
    title: "The secret in the product header lets a request in also beside credentials of another scheme",
    clauses: ["AUTH-PRODUCT-HEADER"],
    level: "should",
    requests: 5,
    reading:
      "A proxy in between may require its own Authorization. Only a Bearer one holds a secret of this interface; " +
      "the interface does not forbid another.",
    plain: ({ secret, inHeader }) => inHeader(secret),
    lets: ({ secret, inHeader }) => ({
      "the secret beside Basic": withHeader(inHeader(secret), "authorization", "Basic dXNlcjpwYXNz"),
      "the secret beside Digest": withHeader(inHeader(secret), "authorization", 'Digest username="user"'),
    }),
  }),
  {
    id: "AUTH-ALL-CHARACTERS",
    title:
      "A secret with every kind of character that Bearer credentials may have lets a request in, and no other form of it",
    clauses: ["SECRET-PLAIN", "AUTH-BEARER", "AUTH-PRODUCT-HEADER", "AUTH-REQUIRED"],
    requests: 14,
    reading:
      "RFC 6750, 2.1: letters, digits and -._~+/ with = at the end, so every secret in base64. What decodes to the same " +
      "bytes is another secret.",
    async run(trial) {
      const route = trial.special("allCharacters");
      const right = trial.right(createFlow(), route);
      mustAccept(await trial.send(right), "the secret as Bearer accepted");
      mustAccept(
        await trial.send(withProductHeader(right, trial.product, route.secret)),
        "the secret in the product header accepted",
      );
      const { secret } = route;
      const others = {
        "the secret in base64 for URLs": secret.replaceAll("+", "-").replaceAll("/", "_"),
        "the secret without its =": secret.replace(/=+$/, ""),
        "the secret with an = more": `${secret}=`,
        "the secret with its characters in another order": secret.split("").toReversed().join(""),
      };
      for (const [what, other] of Object.entries(others))
        for (const wrong of [withBearer(right, other), withProductHeader(right, trial.product, other)]) {
          const exchange = await trial.send(wrong);
          check(exchange.answer?.status === 401, `401 for ${what}`, describe(exchange), exchange);
        }
    },
  },
  {
    id: "AUTH-EVERY-ACTION",
    title: "401 without the secret, whatever the action",
    clauses: ["AUTH-REQUIRED"],
    requests: 16,
    reading: "Also for actions that only read: the secret is asked for before the body is looked at.",
    async run(trial) {
      const flow = await trial.flow();
      for (const action of actionNames) {
        const request = withoutSecret(trial.right(smallest(action, flow, trial.profile.fields)));
        const exchange = await trial.send(request);
        check(exchange.answer?.status === 401, `401 for ${action}`, describe(exchange), exchange);
      }
    },
  },
  rule({
    id: "AUTH-SCHEME-CASE",
    title: "The scheme's name is case-insensitive",
    clauses: ["AUTH-BEARER"],
    level: "should",
    requests: 4,
    reading: "RFC 9110, 11.1: a scheme's name is case-insensitive. The interface shows `Bearer` alone.",
    lets: ({ right, secret }) => ({
      "the scheme bearer": withHeader(right, "authorization", `bearer ${secret}`),
      "the scheme BEARER": withHeader(right, "authorization", `BEARER ${secret}`),
    }),
  }),
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
      twin(await trial.send(right));
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
      for (const request of missing) mustBeAlike(wrong, await trial.send(request), "challenge");
      for (const request of others) mustBeAlike(wrong, await trial.send(request));
    },
  },
  {
    id: "AUTH-CODE",
    title: "An authentication failure has the profile's code",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.code"],
    requests: 2,
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      mustRefuse(await trial.send(withoutSecret(right)), { status: 401, code: trial.gap("auth.code") });
    },
  },
  {
    id: "AUTH-CHALLENGE",
    title: "A 401 has the profile's challenge",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.challenge"],
    requests: 2,
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const exchange = mustRefuse(await trial.send(withoutSecret(right)), { status: 401 });
      const expected = trial.gap("auth.challenge");
      const value = exchange.answer?.headers.get("www-authenticate")?.join(", ");
      const actual = value === undefined ? "no WWW-Authenticate" : "another WWW-Authenticate";
      check(value === expected, `WWW-Authenticate: ${expected}`, actual, exchange);
    },
  },
  rule({
    id: "AUTH-BEARER-WINS",
    title: "Of two different secrets in one request the one that the profile names counts",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.bearer-wins"],
    requests: 3,
    lets: (sent, trial) => ({ "the right secret where it counts": withRight(sent, trial.gap("auth.bearer-wins")) }),
    refuses: (sent, trial) => [withRight(sent, !trial.gap("auth.bearer-wins"))],
  }),
  rule({
    id: "AUTH-SCHEME-LIST",
    title: "401 for the secret as Bearer behind other credentials",
    clauses: ["AUTH-REQUIRED"],
    level: "should",
    requests: 2,
    reading:
      "RFC 9110, 11.6.2: Authorization holds the credentials of one scheme. A proxy that merges two header lines makes such a list.",
    refuses: ({ right, secret }) => [withHeader(right, "authorization", `Basic x, Bearer ${secret}`)],
  }),
  rule({
    id: "AUTH-REPEATED",
    title: "401 for two wrong secrets in one header that is sent twice",
    clauses: ["AUTH-REQUIRED"],
    requests: 3,
    reading: "400 is as good: HTTP lets a server refuse a header that may be there once and is there twice.",
    orBad: true,
    refuses: ({ right, header, inHeader }) => [
      withAnotherHeader(withBearer(right, "wrong"), "authorization", "Bearer other"),
      withAnotherHeader(inHeader("wrong"), header, "other"),
    ],
  }),
  rule({
    id: "AUTH-NON-ASCII",
    title: "401 for a wrong secret with bytes beyond ASCII, and the next request is served",
    clauses: ["AUTH-REQUIRED"],
    requests: 8,
    reading:
      "400 is as good: RFC 9110, 5.5 calls such bytes obsolete in a header. A comparison of texts of one length may be one " +
      "of unequal bytes, on which it fails in its own way.",
    orBad: true,
    refuses: ({ right, secret, inHeader }) =>
      [`${secret.slice(0, -1)}\u00e9`, "\u00e9".repeat(secret.length), "\u00c3\u00a9"].flatMap((wrong) => [
        withBearer(right, wrong),
        inHeader(wrong),
      ]),
    lets: ({ right }) => ({ "the next request": right }),
  }),
];
