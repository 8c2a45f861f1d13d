/** Section 5: the secret accepted from another place, in another form, or no longer after wrong ones. */
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { reject } from "../../../../plugin/answer.ts";
import { alsoAuthenticates, both, perStart, withEntries, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Document, type Subject } from "../../subject.ts";

const productHeader = "x-service-webhook-secret";

/** After so many wrong secrets an address is refused whatever it sends. */
const WRONG_BEFORE_LOCK = 30;

const locksOut: Change = perStart(() => {
  const wrong = new Map<string, number>();
  return withStage("authentication", ({ run }) => async (exchange) => {
    const from = exchange.request.socket.remoteAddress ?? "";
    const before = wrong.get(from) ?? 0;
    if (before >= WRONG_BEFORE_LOCK) return reject("unauthorized");
    const outcome = await run(exchange);
    if (outcome !== undefined) wrong.set(from, before + 1);
    return outcome;
  });
});

/** The secrets in the environment of every route that is configured, disabled ones too, open every route. */
const oneSetOfSecrets: Change = perStart(({ document, env }) => {
  const { plugins } = document as {
    plugins: { entries: { webhooks: { config: { routes?: Record<string, Document> } } } };
  };
  const { routes = {} } = plugins.entries.webhooks.config;
  const disabled = Object.values(routes).filter(({ enabled }) => enabled === false);
  const secrets = new Set(disabled.map(({ secret }) => env[(secret as { id: string }).id]));
  return alsoAuthenticates((_request, secret, presented) => secret !== "" && secrets.has(presented));
});

/** A disabled route is registered all the same, with null for its secret, which is compared as a text. */
const nullSecret: Change = both(
  withEntries((entry) =>
    entry["enabled"] === false ? { ...entry, enabled: true, secret: "secret of nobody" } : entry,
  ),
  alsoAuthenticates((_request, secret, presented) => secret === "secret of nobody" && presented === "null"),
);

export const places: readonly Subject[] = subjectsOf<Subject>({
  "auth-query-auth": {
    bug: "The secret is let in as the parameter `auth` of the URL.",
    kills: ["AUTH-OTHER-PLACES"],
    change: alsoAuthenticates(({ url = "" }, secret) => {
      return secret !== "" && new URL(url, "http://gateway").searchParams.get("auth") === secret;
    }),
  },
  "auth-signature": {
    bug: "A digest of the secret in the header for signatures is let in.",
    kills: ["AUTH-OTHER-PLACES"],
    change: alsoAuthenticates(({ headers }, secret) => {
      const digest = createHash("sha256").update(secret).digest("hex");
      return secret !== "" && headers["x-webhook-signature"] === digest;
    }),
  },
  "auth-cookie-fallback": {
    bug: "Where the Bearer secret is wrong a cookie is looked at, whose name is the product header's.",
    kills: ["AUTH-OTHER-PLACES"],
    change: alsoAuthenticates(({ headers }, secret) => {
      const cookies = (headers.cookie ?? "").split("; ");
      return secret !== "" && headers.authorization !== undefined && cookies.includes(`${productHeader}=${secret}`);
    }),
  },
  "auth-basic-user": {
    bug: "The secret is let in as a Basic user's name with an empty password.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates(({ headers }, secret) => {
      const [scheme, value = ""] = (headers.authorization ?? "").split(" ");
      return secret !== "" && scheme === "Basic" && Buffer.from(value, "base64").toString() === `${secret}:`;
    }),
  },
  "auth-bearer-parameter": {
    bug: "Bearer credentials may be a parameter called token.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates(({ headers }, secret) => {
      return secret !== "" && headers.authorization === `Bearer token="${secret}"`;
    }),
  },
  "auth-product-bearer": {
    bug: "In the product header a scheme may stand before the secret.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates(({ headers }, secret) => secret !== "" && headers[productHeader] === `Bearer ${secret}`),
  },
  "auth-hex": {
    bug: "The secret is let in also in hex.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates((_request, secret, presented = "") => {
      return secret !== "" && Buffer.from(presented, "hex").toString() === secret;
    }),
  },
  "auth-disabled-secret": {
    bug: "Each route lets in the secret of a route that is disabled.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: oneSetOfSecrets,
  },
  "auth-locked-out": {
    bug: "After 30 wrong secrets from an address the right one is refused as well.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: locksOut,
  },
  "auth-disabled-null": {
    bug: "A disabled route is served to whoever sends the text null for its secret.",
    kills: ["SECRET-COLD-CLOSED"],
    change: nullSecret,
  },
  "secret-cold-shell-text": {
    bug: "A variable that is not there stays in the secret as the shell writes it: `$NAME`.",
    kills: ["SECRET-COLD-CLOSED"],
    change: alsoAuthenticates((_request, _secret, presented, { secret }) => {
      return typeof secret === "object" && presented === `$${secret.id}`;
    }),
  },
});
