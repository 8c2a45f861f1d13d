/** Section 5: secrets that are let in though they are wrong, or come in another form or from another place. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { letsWarmIn, productHeader } from "../../lets-in.ts";
import { failing, type Subject } from "../../subject.ts";

const decoded = (text: string, encoding: "base64" | "hex"): string => Buffer.from(text, encoding).toString();
const digest = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const sorted = (text: string): string => text.split("").toSorted().join("");
const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");
const unpadded = (text: string): string => text.replace(/=+$/, "");
const basic = (authorization: string): string => decoded(/^Basic (\S+)/.exec(authorization)?.[1] ?? "", "base64");

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const accepted: readonly Subject[] = [
  ...failing("AUTH-ALL-CHARACTERS", letsWarmIn, {
    "Secrets are equal where their bytes in base64 are": ({ presented, secret }) =>
      urlSafe(presented) === urlSafe(secret),
    "Secrets are equal where their characters before the = are": ({ presented, secret }) =>
      unpadded(presented) === unpadded(secret),
    "Secrets are equal where the sums of their bytes are": ({ presented, secret }) =>
      sorted(presented) === sorted(secret),
  }),
  ...failing("AUTH-WRONG-SECRETS", letsWarmIn, {
    "A secret of the right length is let in, as the comparison's result is not looked at": ({ presented, secret }) =>
      presented.length === secret.length,
    "An empty Bearer secret is let in": ({ authorization }) => /^bearer\s*$/i.test(authorization),
    "An empty secret in the product's own header is let in": ({ headers }) => headers[productHeader] === "",
    "Only the first 72 characters of a secret count": ({ presented, secret }) =>
      presented.slice(0, 72) === secret.slice(0, 72),
    "The route's own id is a secret as well, left from the set-up": ({ presented, route }) => presented === route.id,
    "The secret is let in without a scheme before it": ({ authorization, secret }) => authorization === secret,
    "The secret is let in as a Basic password": ({ authorization, secret }) =>
      basic(authorization).split(":")[1] === secret,
    "The secret is let in as a Basic user's name with an empty password": ({ authorization, secret }) =>
      basic(authorization) === `${secret}:`,
    "The secret is let in when it comes in percent-encoding": ({ presented, secret }) =>
      percentDecoded(presented) === secret,
    "The secret is let in also in hex": ({ presented, secret }) => decoded(presented, "hex") === secret,
    "Quotes around the secret are taken away": ({ presented, secret }) =>
      presented.replace(/^"(.*)"$/, "$1") === secret,
    "The secret's digest is let in like the secret": ({ presented, secret }) => presented === digest(secret),
    "The secret is the second word of Authorization, whatever follows it": ({ authorization, secret }) =>
      /^bearer (\S*)/i.exec(authorization)?.[1] === secret,
    "Of the scheme's name only the end is looked at": ({ authorization, secret }) =>
      /^\S*bearer +(\S+)$/i.exec(authorization)?.[1] === secret,
    "Bearer credentials may be a parameter called token": ({ authorization, secret }) =>
      authorization === `Bearer token="${secret}"`,
    "The product's header is read as a list, of which any item lets in": ({ own, secret }) =>
      own.includes(",") && own.split(",").some((item) => item.trim() === secret),
    "In the product header a scheme may stand before the secret": ({ own, secret }) => own === `Bearer ${secret}`,
    "In the product's header any beginning of the secret is let in": ({ own, secret }) =>
      own !== "" && secret.startsWith(own),
    "In the product's header anything that begins with the secret is let in": ({ own, secret }) =>
      own.startsWith(secret),
    "In the product's header the secret is let in whatever its case": ({ own, secret }) =>
      own.toLowerCase() === secret.toLowerCase(),
    "In the product's header the secret is let in also in base64": ({ own, secret }) =>
      decoded(own, "base64") === secret,
  }),
  ...failing("AUTH-SCHEME-LIST", letsWarmIn, {
    "Bearer is looked for anywhere in Authorization": ({ authorization, secret }) =>
      /\bbearer +(\S+)$/i.exec(authorization)?.[1] === secret,
  }),
  ...failing("AUTH-OTHER-PLACES", letsWarmIn, {
    "Any header that ends in -webhook-secret is looked at": ({ headers, secret }) =>
      Object.entries(headers).some(([name, value]) => name.endsWith("webhook-secret") && value === secret),
    "Any header that ends in -authorization is looked at": ({ headers, secret }) =>
      Object.entries(headers).some(([name, value]) => name.endsWith("-authorization") && value === secret),
    "The secret is let in by the header of another service's webhooks, too": ({ headers, secret }) =>
      headers["x-gitlab-token"] === secret,
    "The secret is let in as the parameter `auth` of the URL": ({ url, secret }) =>
      new URL(url, "http://gateway").searchParams.get("auth") === secret,
    "A digest of the secret in the header for signatures is let in": ({ headers, secret }) =>
      headers["x-webhook-signature"] === digest(secret),
    "Where the Bearer secret is wrong a cookie is looked at, whose name is the product header's": (sent) =>
      sent.authorization !== "" && (sent.headers.cookie ?? "").split("; ").includes(`${productHeader}=${sent.secret}`),
  }),
  ...failing("AUTH-CLIENT-NAMED", letsWarmIn, {
    "Whoever says to come from 127.0.0.1 needs no secret": ({ headers }) => headers["x-forwarded-for"] === "127.0.0.1",
  }),
  ...failing("REQUEST-SECRET", letsWarmIn, {
    "A request without any secret is let in": ({ headers }) =>
      headers.authorization === undefined && headers[productHeader] === undefined,
    "With both headers each check leaves the request to the other": ({ headers }) =>
      headers.authorization !== undefined && headers[productHeader] !== undefined,
    "At a path in absolute form any secret is let in": ({ url }) => !url.startsWith("/"),
  }),
];
