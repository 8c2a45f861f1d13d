/**
 * The forms in which a secret can stand in a request, an answer or a log line: the one list, for whatever takes secrets
 * out of texts and for whatever looks for leaks.
 * Not among them: pieces below the shortest run, which other texts hold by accident, and base32, which node does not write.
 */
import { createHash } from "node:crypto";

export interface Form {
  /** For people, behind the variable's name: `in base64`; empty for the secret as it is. */
  readonly name: string;
  encode(value: string): string;
  /** How many of the first characters also depend on what stands before the secret. */
  readonly skip?: number;
  /** How many of the last characters may also depend on what stands behind it. */
  readonly end?: number;
  /** Each character, or each byte, is written for itself, with more characters than its own. */
  readonly itemised?: true;
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
const groupsOf = (hex: string) => hex.replace(/.{4}(?=.)/g, "$& ");
const inHex: readonly Form[] = [
  { name: "in hex", encode: hexOf },
  { name: "in hex, in capital letters", encode: (value) => hexOf(value).toUpperCase() },
  { name: "in percent form", encode: (value) => percentOf(hexOf(value)) },
  { name: "in percent form, in capital letters", encode: (value) => percentOf(hexOf(value).toUpperCase()) },
  // As xxd prints it: the secret may begin in the middle of a group.
  { name: "in groups of hex", encode: (value) => groupsOf(hexOf(value)) },
  { name: "in groups of hex behind 1 more", encode: (value) => groupsOf(hexOf(` ${value}`)), skip: 2 },
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

/** One unit of UTF-16 or one byte as a number, with what stands before and behind each. */
interface Item {
  readonly name: string;
  readonly write: (unit: string) => string;
  readonly between?: string;
}

const hex4 = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
/** The second is the first inside of JSON. */
const escapes = ["\\", "\\\\"];
const unitItems: readonly Item[] = escapes.flatMap((escape) => [
  { name: `in ${escape}u escapes`, write: (unit) => `${escape}u${hex4(unit)}` },
  { name: `in ${escape}u escapes, in capital letters`, write: (unit) => `${escape}u${hex4(unit).toUpperCase()}` },
]);
const itself = (point: string) => point;
const pointItems: readonly Item[] = [
  ...[" ", "-", ".", ","].map((between) => ({
    name: `with ${JSON.stringify(between)} between`,
    write: itself,
    between,
  })),
  { name: "in decimal HTML entities", write: (point) => `&#${point.codePointAt(0)};` },
  { name: "in hex HTML entities", write: (point) => `&#x${hexPoint(point)};` },
  { name: "in hex HTML entities, in capital letters", write: (point) => `&#x${hexPoint(point).toUpperCase()};` },
];
const hexPoint = (point: string) => (point.codePointAt(0) ?? 0).toString(16);

const hexByte = (byte: string) => byte.charCodeAt(0).toString(16).padStart(2, "0");
const bytesWith = (name: string, write: Item["write"], separators: readonly string[]): Item[] =>
  separators.map((between) => ({ name: `${name} with ${JSON.stringify(between)}`, write, between }));
const byteItems: readonly Item[] = [
  ...bytesWith("in decimal bytes", (byte) => String(byte.charCodeAt(0)), [",", ", ", " "]),
  ...["", ", in capital letters"].flatMap((capitals) => {
    const digits = (byte: string) => (capitals === "" ? hexByte(byte) : hexByte(byte).toUpperCase());
    return [
      ...bytesWith(`in hex bytes${capitals}`, digits, [" ", ":", "-", ",", ", "]),
      ...bytesWith(`in hex bytes${capitals}, 0x before each`, (byte) => `0x${digits(byte)}`, [",", ", ", " "]),
      ...escapes.map((escape) => ({
        name: `in ${escape}x escapes${capitals}`,
        write: (byte: string) => `${escape}x${digits(byte)}`,
      })),
    ];
  }),
];

function formOf({ name, write, between = "" }: Item, unitsOf: (value: string) => string[]): Form {
  // A secret has few different characters, and there are many secrets.
  const texts = new Map<string, string>();
  const written = (unit: string) => {
    let text = texts.get(unit);
    if (text === undefined) texts.set(unit, (text = write(unit)));
    return text;
  };
  return { name, encode: (value) => unitsOf(value).map(written).join(between), itemised: true };
}

const asBytes = (value: string) => Buffer.from(value, "utf8").toString("latin1").split("");
const inItems: readonly Form[] = [
  ...unitItems.map((item) => formOf(item, (value) => value.split(""))),
  ...pointItems.map((item) => formOf(item, (value) => Array.from(value))),
  ...byteItems.map((item) => formOf(item, asBytes)),
];

/** Not the secret, but a target that compares digests would accept it. */
export const digest: Form = {
  name: "as SHA-256 in hex",
  encode: (value) => createHash("sha256").update(value).digest("hex"),
};

/** All of them; where two are the same for a secret, the first gives the name. */
export const forms: readonly Form[] = [...written, ...reordered, ...inHex, ...inBase64, ...inItems, digest];

/** A text that a form makes of a secret, and the shortest run of it that is taken out. */
export interface FormText {
  readonly form: Form;
  readonly text: string;
  readonly least: number;
}

/** The texts of a value, each with its form, none twice. */
export function formsOf(value: string): FormText[] {
  if (value === "") return [];
  // Of an itemised form, as many characters in a row as of the secret itself; a digit's are the shortest.
  const few = "0".repeat(shortestRun(Array.from(value).length));
  const texts = new Map<string, FormText>();
  for (const form of forms) {
    const text = form.encode(value).slice(form.skip ?? 0);
    if (text === "" || texts.has(text)) continue;
    texts.set(text, { form, text, least: form.itemised ? form.encode(few).length : shortestRun(text.length) });
  }
  return [...texts.values()];
}

/** The shortest run of a form of `length` characters that is taken out. */
export function shortestRun(length: number): number {
  return Math.min(length, 12, Math.max(6, Math.ceil(length / 2)));
}
