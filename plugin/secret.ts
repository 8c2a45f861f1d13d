import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
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

// Node reads header bytes as latin1; undone, a secret sent as UTF-8 has its own bytes again.
const digest = (text: string, encoding: "latin1" | "utf8"): Buffer =>
  createHash("sha256").update(text, encoding).digest();

/**
 * A check of presented secrets against a route's. Digests are compared, so neither length nor content shows in the time
 * taken. A secret that is no string (unresolved) is replaced by chance: the same work, never a match. So is a blank one,
 * which `readRoutes` refuses before. White space around a header's value is gone when it comes here.
 */
export function createSecretCheck(secret: Secret): (presented: string | undefined) => boolean {
  const usable = typeof secret === "string" && secret.trim() !== "";
  const expected = usable ? digest(secret.trim(), "utf8") : randomBytes(32);
  // No `trim`: the last byte of "à" reads as a no-break space here.
  return (presented) => timingSafeEqual(digest(presented ?? "", "latin1"), expected);
}
