/**
 * The forms in which a secret can stand in a request, an answer or a log line: the one list, for whatever takes secrets
 * out of texts and for whatever looks for leaks.
 */
import { createHash } from "node:crypto";

export interface Form {
  /** For people, behind the variable's name: `in base64`; empty for the secret as it is. */
  readonly name: string;
  encode(value: string): string;
  /** How many of the first characters also depend on what stands before the secret. */
  readonly skip?: number;
  /** Each character, or each byte, is written for itself, with more characters than its own. */
  readonly itemised?: true;
}

/** HTML's names of the marks of ASCII; letters and digits have none. */
const entityNames: Readonly<Record<string, string>> = {
  "!": "excl",
  '"': "quot",
  "#": "num",
  $: "dollar",
  "%": "percnt",
  "&": "amp",
  "'": "apos",
  "(": "lpar",
  ")": "rpar",
  "*": "ast",
  "+": "plus",
  ",": "comma",
  "-": "hyphen",
  ".": "period",
  "/": "sol",
  ":": "colon",
  ";": "semi",
  "<": "lt",
  "=": "equals",
  ">": "gt",
  "?": "quest",
  "@": "commat",
  "[": "lsqb",
  "\\": "bsol",
  "]": "rsqb",
  "^": "Hat",
  _: "lowbar",
  "`": "grave",
  "{": "lcub",
  "|": "verbar",
  "}": "rcub",
  "~": "tilde",
};

const casings: readonly Form[] = [
  { name: "", encode: (text) => text },
  { name: "in capital letters", encode: (text) => text.toUpperCase() },
  { name: "in small letters", encode: (text) => text.toLowerCase() },
];
const escapings: readonly Form[] = [
  { name: "", encode: (text) => text },
  { name: "escaped for JSON", encode: (text) => JSON.stringify(text).slice(1, -1) },
  { name: "escaped for a URL", encode: encodeURIComponent },
  { name: "escaped for HTML", encode: (text) => text.replace(/[&<>"']/g, (mark) => `&${entityNames[mark]};`) },
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

const entityOf = (mark: string) => (Object.hasOwn(entityNames, mark) ? `&${entityNames[mark]};` : mark);
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
const unitItems: readonly Item[] = [
  { name: "in \\u escapes", write: (unit) => `\\u${hex4(unit)}` },
  { name: "in \\u escapes, in capital letters", write: (unit) => `\\u${hex4(unit).toUpperCase()}` },
];
const pointItems: readonly Item[] = [
  { name: "spaced out", write: (point) => point, between: " " },
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
      ...bytesWith(`in \\x escapes${capitals}`, (byte) => `\\x${digits(byte)}`, [""]),
    ];
  }),
];

function formOf({ name, write, between = "" }: Item, unitsOf: (value: string) => string[]): Form {
  // A secret has few different characters, and there are many secrets.
  const known = new Map<string, string>();
  const written = (unit: string) => {
    let text = known.get(unit);
    if (text === undefined) known.set(unit, (text = write(unit)));
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
const digest: Form = {
  name: "as SHA-256 in hex",
  encode: (value) => createHash("sha256").update(value).digest("hex"),
};

/** All of them; where two are the same for a secret, the first gives the name. */
export const forms: readonly Form[] = [...written, ...reordered, ...inHex, ...inBase64, ...inItems, digest];
