/** Section 5: other forms of the secret that are accepted, and actions that need none. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { reject } from "../../../../plugin/answer.ts";
import { alsoAuthenticates, asText, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const productHeader = "x-service-webhook-secret";

/** A presented secret is decoded in one more way. */
const alsoReads = (bug: string, read: (presented: string) => string): Omit<Subject, "id"> => ({
  bug,
  kills: ["AUTH-WRONG-SECRETS"],
  change: alsoAuthenticates((_request, secret, presented = "") => secret !== "" && read(presented) === secret),
});

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The secret is checked when the action is known, and not for get actions. */
const readsAreOpen: Change = {
  parts: (parts) => {
    const refused = new WeakMap<object, Awaited<ReturnType<(typeof parts.stages)[number]["run"]>>>();
    return {
      ...parts,
      stages: parts.stages.map(({ name, run }) => ({
        name,
        run: async (exchange) => {
          if (name === "authentication") {
            const outcome = await run(exchange);
            if (outcome !== undefined) refused.set(exchange.request, outcome);
            return undefined;
          }
          const isRead = asText(exchange.body?.["action"]).startsWith("get_");
          return name === "action" && !isRead && refused.has(exchange.request)
            ? refused.get(exchange.request)
            : run(exchange);
        },
      })),
    };
  },
};

export const credentials: readonly Subject[] = subjectsOf<Subject>({
  "auth-percent": alsoReads("The secret is let in when it comes in percent-encoding.", percentDecoded),
  "auth-quoted": alsoReads("Quotes around the secret are taken away.", (presented) =>
    presented.replace(/^"(.*)"$/, "$1"),
  ),
  "auth-digest": {
    bug: "The secret's digest is let in like the secret.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates((_request, secret, presented) => {
      return secret !== "" && presented === createHash("sha256").update(secret).digest("hex");
    }),
  },
  "auth-list": {
    bug: "The product's header is read as a list, of which any item lets in.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates(({ headers }, secret) => {
      const items = String(headers[productHeader] ?? "").split(",");
      return items.length > 1 && secret !== "" && items.some((item) => item.trim() === secret);
    }),
  },
  "auth-second-word": {
    bug: "The secret is the second word of Authorization, whatever follows it.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates(({ headers }, secret) => {
      const [scheme = "", value] = (headers.authorization ?? "").split(" ");
      return secret !== "" && scheme.toLowerCase() === "bearer" && value === secret;
    }),
  },
  "auth-scheme-ending": {
    bug: "Of the scheme's name only the end is looked at.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoAuthenticates(({ headers }, secret) => {
      return secret !== "" && /^\S*bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] === secret;
    }),
  },
  "auth-scheme-list": {
    bug: "Bearer is looked for anywhere in Authorization.",
    kills: ["AUTH-SCHEME-LIST"],
    change: alsoAuthenticates(({ headers }, secret) => {
      return secret !== "" && /\bbearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] === secret;
    }),
  },
  "auth-gitlab-token": {
    bug: "The secret is let in by the header of another service's webhooks, too.",
    kills: ["AUTH-OTHER-PLACES"],
    change: alsoAuthenticates(({ headers }, secret) => secret !== "" && headers["x-gitlab-token"] === secret),
  },
  "auth-both-unchecked": {
    bug: "With both headers each check leaves the request to the other.",
    kills: ["REQUEST-SECRET"],
    change: alsoAuthenticates(({ headers }) => {
      return headers.authorization !== undefined && headers[productHeader] !== undefined;
    }),
  },
  "auth-repeated-crash": {
    bug: "A header that is sent twice ends in an internal error.",
    kills: ["AUTH-REPEATED"],
    change: withStage("authentication", ({ run }) => (exchange) => {
      const names = exchange.request.rawHeaders.filter((_text, index) => index % 2 === 0);
      const isTwice = (name: string) => names.filter((known) => known.toLowerCase() === name).length > 1;
      if (isTwice("authorization") || isTwice(productHeader)) throw new TypeError("secret.trim is not a function");
      return run(exchange);
    }),
  },
  "auth-non-ascii-crash": {
    bug: "Secrets are compared byte by byte when they have as many characters; of unequal bytes the comparison fails.",
    kills: ["AUTH-NON-ASCII"],
    change: withStage("authentication", ({ run }) => (exchange) => {
      const { parts, product } = exchange.context;
      const presented = parts.presentedSecret(exchange.request.headers, product) ?? "";
      if (Buffer.byteLength(presented) !== presented.length)
        throw new RangeError("Input buffers must have the same length");
      return run(exchange);
    }),
  },
  "auth-any-x-header": {
    bug: "The secret is let in by any header that begins with x- or ends in authorization.",
    kills: ["AUTH-OTHER-PLACES"],
    change: alsoAuthenticates(({ headers }, secret) => {
      const fits = ([name, value]: [string, unknown]) => /^x-|authorization$/.test(name) && value === secret;
      return secret !== "" && Object.entries(headers).some(fits);
    }),
  },
  "auth-reads-open": {
    bug: "Actions that only read do not ask for the secret.",
    kills: ["AUTH-EVERY-ACTION"],
    change: readsAreOpen,
  },
  "auth-bearer-letters": {
    bug: "A Bearer secret is made of letters, digits, points and hyphens; any other is none.",
    kills: ["AUTH-ALL-CHARACTERS"],
    change: {
      parts: (parts) => ({
        ...parts,
        presentedSecret: (headers, product) => {
          const presented = parts.presentedSecret(headers, product);
          const isBearer = headers.authorization !== undefined;
          return isBearer && !/^[\w.-]+$/.test(presented ?? "") ? undefined : presented;
        },
      }),
    },
  },
  "auth-both-refused": {
    bug: "A request with both headers is refused.",
    kills: ["AUTH-BOTH-RIGHT"],
    change: withStage("authentication", ({ run }) => (exchange) => {
      const { headers } = exchange.request;
      const hasBoth = headers.authorization !== undefined && headers[productHeader] !== undefined;
      return hasBoth ? reject("unauthorized", { headers: { "WWW-Authenticate": "Bearer" } }) : run(exchange);
    }),
  },
});
