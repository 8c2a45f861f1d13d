/**
 * The forms in which a secret can stand in a request, an answer or a log line: the one list, for whatever takes secrets
 * out of texts and for whatever looks for leaks.
 * Not among them: pieces below the shortest run, which other texts hold by accident, and base32, which node does not write.
 */
import { createHash } from "node:crypto";

interface Form {
  /** For people, behind the variable's name: `in base64`; empty for the secret as it is. */
  readonly name: string;
  encode(value: string): string;
  /** How many of the first characters also depend on what stands before the secret. */
  readonly skip?: number;
  /** How many of the last characters may also depend on what stands behind it. */
  readonly end?: number;
}

/** The marks of ASCII in their order, and HTML's names of them; letters and digits have none. */
const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const nameList =
  "excl quot num dollar percnt amp apos lpar rpar ast plus comma hyphen period sol colon semi lt equals gt quest " +
  "commat lsqb bsol rsqb Hat lowbar grave lcub verbar rcub tilde";
const names = nameList.split(" ");
const entityOf = (character: string) =>
  marks.includes(character) ? `&${names[marks.indexOf(character)]};` : character;

const casings: readonly Form[] = [
  { name: "", encode: (text) => text },
  { name: "in capital letters", encode: (text) => text.toUpperCase() },
  { name: "in small letters", encode: (text) => text.toLowerCase() },
];
const escapings: readonly Form[] = [
  { name: "", encode: (text) => text },
  { name: "escaped for JSON", encode: (text) => JSON.stringify(text).slice(1, -1) },
  { name: "escaped for a URL", encode: encodeURIComponent },
  { name: "escaped for a URL, twice", encode: (text) => encodeURIComponent(encodeURIComponent(text)) },
  { name: "escaped for HTML", encode: (text) => text.replace(/[&<>"']/g, entityOf) },
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
const base64Of = (name: string, bytesOf: (value: string) => Buffer, end: number, url = false): Form[] =>
  [0, 1, 2].map((before) => ({
    name: `in ${name}${before === 0 ? "" : ` behind ${before} more`}`,
    encode: (value) => Buffer.concat([Buffer.alloc(before), bytesOf(value)]).toString(url ? "base64url" : "base64"),
    skip: Math.ceil((before * 8) / 6),
    end,
  }));

const utf8Of = (value: string) => Buffer.from(value, "utf8");
const inBase64: readonly Form[] = [
  ...base64Of("base64", utf8Of, 3),
  ...base64Of("base64url", utf8Of, 3, true),
  ...base64Of("base64 of UTF-16", (value) => Buffer.from(value, "utf16le"), 3),
  ...base64Of("base64", utf8Of, 3).flatMap(({ name, encode, skip }) =>
    base64Of(`${name.slice(3)}, twice`, (value) => Buffer.from(encode(value).slice(skip)), 8),
  ),
];

const reordered: readonly Form[] = [
  { name: "reversed", encode: (value) => Array.from(value).toReversed().join("") },
  { name: "with HTML's names of marks", encode: (value) => Array.from(value).map(entityOf).join("") },
];

/** How a byte is written for itself, of which the squeezed text keeps letters and digits. */
const byteForms: Readonly<Record<string, (byte: string) => string>> = {
  "with other characters between": (byte) => byte,
  "in hex, in pieces": (byte) => hexOf2(byte),
  "in hex, each behind an x": (byte) => `x${hexOf2(byte)}`,
  "in hex, each behind 0x": (byte) => `0x${hexOf2(byte)}`,
  "in percent form, twice": (byte) => `25${hexOf2(byte)}`,
  "in decimal numbers": (byte) => String(byte.charCodeAt(0)),
  "in octal numbers": (byte) => byte.charCodeAt(0).toString(8).padStart(3, "0"),
};
const hexOf2 = (byte: string) => byte.charCodeAt(0).toString(16).padStart(2, "0");
const asBytes = (value: string) => Buffer.from(value, "utf8").toString("latin1").split("");

/** Forms in a squeezed text: whatever stands between and before the characters, and their case, does not count. */
const squeezed: readonly Form[] = [
  ...Object.entries(byteForms).map(([name, write]) => ({
    name,
    encode: (value: string) => asBytes(value).map(write).join(""),
  })),
  {
    name: "in \\u escapes",
    encode: (value) => value.replace(/[^]/g, (unit) => `u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  },
];

/** Not the secret, but a target that compares digests would accept it. */
export const digests: readonly Form[] = (["hex", "base64", "base64url"] as const).map((encoding) => ({
  name: `as SHA-256 in ${encoding}`,
  encode: (value) => createHash("sha256").update(value).digest(encoding),
}));

/** All that is looked for in a text as it is; where two are the same for a secret, the first gives the name. */
export const forms: readonly Form[] = [...written, ...reordered, ...inHex, ...inBase64, ...digests];

/** A text that a form makes of a secret, and the shortest run of it that is taken out. */
export interface FormText {
  readonly form: Form;
  readonly text: string;
  readonly least: number;
}

/** The texts of a value, each with its form, none twice. */
export function formsOf(value: string): FormText[] {
  return textsOf(value, forms, (_form, text) => shortestRun(text.length));
}

/** ASCII letters and digits alone, small: a form with other characters between is the same text as without. */
export function squeeze(text: string): string {
  // One pass over the characters: every answer is squeezed, and a pattern takes five times as long.
  if (kept.byteLength < text.length) kept = Buffer.allocUnsafe(2 * text.length);
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const small = smallOf[text.charCodeAt(at)];
    if (small !== undefined && small > 0) kept[size++] = small;
  }
  return kept.toString("latin1", 0, size);
}

/** Of ASCII letters and digits by their codes, small; 0 for other characters. */
const smallOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[0-9A-Za-z]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});
let kept = Buffer.alloc(0);

/** What a squeezed text is searched for: of a form as many characters of the secret in a row as of the secret itself. */
export function squeezedFormsOf(value: string): FormText[] {
  // A digit's are the shortest; one of the characters may be a mark, which is left out.
  const few = "0".repeat(Math.min(asBytes(value).length, LONGEST_RUN - 1));
  const found = textsOf(value, squeezed, ({ encode }, text) => Math.min(encode(few).length, text.length));
  return found.filter(({ text }) => text.length >= LEAST_SQUEEZED);
}
/** Shorter ones would be found across the words of a sentence. */
const LEAST_SQUEEZED = 8;

function textsOf(value: string, all: readonly Form[], leastOf: (form: Form, text: string) => number): FormText[] {
  const texts = new Map<string, FormText>();
  if (value === "") return [];
  for (const form of all) {
    const encoded = form.encode(value).slice(form.skip ?? 0);
    const text = all === squeezed ? squeeze(encoded) : encoded;
    if (text !== "" && !texts.has(text)) texts.set(text, { form, text, least: leastOf(form, text) });
  }
  return [...texts.values()];
}

/** In a row, of a form that is long enough. */
const LONGEST_RUN = 12;

/** The shortest run of a form of `length` characters that is taken out. */
export function shortestRun(length: number): number {
  return Math.min(length, LONGEST_RUN, Math.max(6, Math.ceil(length / 2)));
}
