/** The forms in which a secret can stand in a request, an answer or a log line. */
import { createHash } from "node:crypto";

export interface Form {
  /** For people, behind the variable's name: `in base64`; empty for the secret as it is. */
  readonly name: string;
  encode(value: string): string;
  /** How many of the first characters also depend on what stands before the secret. */
  readonly skip?: number;
}

const casings: readonly Form[] = [
  { name: "", encode: (text) => text },
  { name: "in capital letters", encode: (text) => text.toUpperCase() },
  { name: "in small letters", encode: (text) => text.toLowerCase() },
];
const escapings: readonly Form[] = [
  { name: "", encode: (text) => text },
  { name: "escaped for JSON", encode: (text) => JSON.stringify(text).slice(1, -1) },
  { name: "escaped for a URL", encode: encodeURIComponent },
];
const written: readonly Form[] = casings.flatMap((casing) =>
  escapings.map((escaping) => ({
    name: [casing.name, escaping.name].filter((name) => name !== "").join(", "),
    encode: (value: string) => escaping.encode(casing.encode(value)),
  })),
);

const hexOf = (value: string) => Buffer.from(value, "utf8").toString("hex");
const percentOf = (hex: string) => hex.replace(/../g, "%$&");
const inHex: readonly Form[] = [
  { name: "in hex", encode: hexOf },
  { name: "in hex, in capital letters", encode: (value) => hexOf(value).toUpperCase() },
  { name: "in percent form", encode: (value) => percentOf(hexOf(value)) },
  { name: "in percent form, in capital letters", encode: (value) => percentOf(hexOf(value).toUpperCase()) },
];

/** Base64 encodes three bytes at a time, so a value looks different after 0, 1 or 2 more bytes. */
const inBase64: readonly Form[] = [0, 1, 2].flatMap((before) =>
  (["base64", "base64url"] as const).map((encoding) => ({
    name: `in ${encoding}${before === 0 ? "" : ` behind ${before} more`}`,
    encode: (value: string) => Buffer.from(" ".repeat(before) + value, "utf8").toString(encoding),
    skip: Math.ceil((before * 8) / 6),
  })),
);

/** Not the secret, but a target that compares digests would accept it. */
const digest: Form = {
  name: "as SHA-256 in hex",
  encode: (value) => createHash("sha256").update(value).digest("hex"),
};

/** All of them; where two are the same for a secret, the first gives the name. */
export const forms: readonly Form[] = [...written, ...inHex, ...inBase64, digest];
