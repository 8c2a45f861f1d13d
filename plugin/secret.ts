import { Buffer } from "node:buffer";
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Secret } from "./config.ts";

const bearer = /^bearer[ \t]+(.+)$/i;

/** The secret a request presents; a Bearer header wins over the product's own, named `x-<product>-webhook-secret`. */
export function presentedSecret(headers: IncomingMessage["headers"], product: string): string | undefined {
  const credentials = bearer.exec(headers.authorization ?? "");
  if (credentials) return credentials[1];
  const own = headers[`x-${product}-webhook-secret`];
  return typeof own === "string" ? own : undefined;
}

// As hexadecimal text: hash() allocates every Buffer that it returns outside of the heap.
// Node decodes header bytes as latin1; encoding them as latin1 again restores the bytes of a secret sent as UTF-8.
const digest = (text: string, encoding: "latin1" | "utf8"): Buffer =>
  Buffer.from(hash("sha256", Buffer.from(text, encoding)), "latin1");

/** Checks presented secrets against a route's, in a time that shows neither length nor content. */
export function createSecretCheck(secret: Secret): (presented: string | undefined) => boolean {
  // Digests are compared. An unresolved secret (no string) and a blank one (which `readRoutes` already refuses) are replaced
  // by random bytes: the same work, never a match.
  const usable = typeof secret === "string" && secret.trim() !== "";
  const expected = usable ? digest(secret.trim(), "utf8") : randomBytes(64);
  // Node has trimmed the header. Another `trim` would cut the last byte of a UTF-8 "à": in latin1 it is a no-break space.
  return (presented) => timingSafeEqual(digest(presented ?? "", "latin1"), expected);
}
