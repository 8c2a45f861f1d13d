/** Section 5: the product's own header gone wrong. */
import { Buffer } from "node:buffer";
import { alsoAuthenticates } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const header = "x-service-webhook-secret";

/** Without Authorization, the product's header is compared in one more way. */
const alsoLets = (matches: (sent: string, secret: string) => boolean): Change =>
  alsoAuthenticates(({ headers: { authorization, [header]: sent } }, secret) => {
    return authorization === undefined && typeof sent === "string" && secret !== "" && matches(sent, secret);
  });

export const productHeader: readonly Subject[] = subjectsOf<Subject>({
  "auth-product-prefix": {
    bug: "In the product's header any beginning of the secret is let in.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoLets((sent, secret) => sent !== "" && secret.startsWith(sent)),
  },
  "auth-product-longer": {
    bug: "In the product's header anything that begins with the secret is let in.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoLets((sent, secret) => sent.startsWith(secret)),
  },
  "auth-product-any-case": {
    bug: "In the product's header the secret is let in whatever its case.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoLets((sent, secret) => sent.toLowerCase() === secret.toLowerCase()),
  },
  "auth-product-base64": {
    bug: "In the product's header the secret is let in also in base64.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: alsoLets((sent, secret) => Buffer.from(sent, "base64").toString() === secret),
  },
  "auth-product-hidden": {
    bug: "Any Authorization hides the product's header, also one that is not Bearer.",
    kills: ["AUTH-PRODUCT-BESIDE-OTHER-SCHEME"],
    change: {
      parts: (parts) => ({
        ...parts,
        presentedSecret: ({ [header]: own, ...headers }, product) =>
          parts.presentedSecret(headers.authorization === undefined ? { ...headers, [header]: own } : headers, product),
      }),
    },
  },
});
