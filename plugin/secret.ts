import { Buffer } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";
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

/** Bytes compared: always a multiple of this. No secret in use is nearly as long. */
const PADDED_BYTES = 256;

/**
 * Checks presented secrets against a route's. The time depends on what the caller presents, never on how much of it is
 * right, nor on the length of a secret of up to `PADDED_BYTES` bytes.
 */
export function createSecretCheck(secret: Secret): (presented: string | undefined) => boolean {
  // An unresolved secret (no string) and a blank one (which `readRoutes` already refuses) are replaced by random bytes: the
  // same work, never a match.
  const isUsable = typeof secret === "string" && secret.trim() !== "";
  const bytes = isUsable ? Buffer.from(secret.trim(), "utf8") : randomBytes(PADDED_BYTES);
  const expected = Buffer.alloc(Math.ceil(bytes.length / PADDED_BYTES) * PADDED_BYTES);
  const given = Buffer.alloc(expected.length);
  bytes.copy(expected);
  // Node has trimmed the header. Another `trim` would cut the last byte of a UTF-8 "à": in latin1 it is a no-break space.
  return (presented = "") => {
    // Node decodes header bytes as latin1; encoding them as latin1 again restores the bytes of a secret sent as UTF-8.
    given.fill(0).write(presented, "latin1");
    const isSame = timingSafeEqual(given, expected);
    // The padding counts as content, and what is longer than `given` was cut: only the length tells.
    return presented.length === bytes.length && isSame;
  };
}
