/** The forms in which a secret can stand in a request, an answer or a log line, and what makes bash write each. */
import { createHash } from "node:crypto";

export interface Form {
  /** For people, behind the variable's name: `in base64`; empty for the secret as it is. */
  readonly name: string;
  encode(value: string): string;
  /** Filters that make the form of the secret in bash: empty for the secret as it is; undefined where none is short. */
  readonly filters: string | undefined;
  /** It works on bytes; the filters of all others are right for printable ASCII alone. */
  readonly ofBytes?: true;
  /** How many of the first characters are not the secret's alone. */
  readonly skip?: number;
}

const casings = [
  { name: "", encode: (text: string) => text, filters: [] },
  { name: "in capital letters", encode: (text: string) => text.toUpperCase(), filters: ["tr a-z A-Z"] },
  { name: "in small letters", encode: (text: string) => text.toLowerCase(), filters: ["tr A-Z a-z"] },
];
const escapings = [
  { name: "", encode: (text: string) => text, filters: [] },
  {
    name: "escaped for JSON",
    encode: (text: string) => JSON.stringify(text).slice(1, -1),
    filters: [`sed 's/["\\\\]/\\\\&/g'`],
  },
  { name: "escaped for a URL", encode: encodeURIComponent, filters: undefined },
];
const written: readonly Form[] = casings.flatMap((casing) =>
  escapings.map((escaping) => ({
    name: [casing.name, escaping.name].filter((name) => name !== "").join(", "),
    encode: (value: string) => escaping.encode(casing.encode(value)),
    filters: escaping.filters && [...casing.filters, ...escaping.filters].join(" | "),
  })),
);

const hexOf = (value: string) => Buffer.from(value, "utf8").toString("hex");
const percentOf = (hex: string) => hex.replace(/../g, "%$&");
const HEX = "od -An -v -tx1 | tr -d ' \\n'";
const PERCENT = "sed 's/../%&/g'";
const CAPITALS = "tr a-f A-F";
// Hex and base64 of bytes, so that a secret of any script comes out right.
const inHex: readonly Form[] = [
  { name: "in hex", encode: hexOf, filters: HEX, ofBytes: true },
  {
    name: "in hex, in capital letters",
    encode: (value) => hexOf(value).toUpperCase(),
    filters: `${HEX} | ${CAPITALS}`,
    ofBytes: true,
  },
  {
    name: "in percent form",
    encode: (value) => percentOf(hexOf(value)),
    filters: `${HEX} | ${PERCENT}`,
    ofBytes: true,
  },
  {
    name: "in percent form, in capital letters",
    encode: (value) => percentOf(hexOf(value).toUpperCase()),
    filters: `${HEX} | ${CAPITALS} | ${PERCENT}`,
    ofBytes: true,
  },
];

/** Base64 hides a value in three ways, by how many bytes beyond a multiple of three stand before it. */
const inBase64: readonly Form[] = [0, 1, 2].flatMap((before) => {
  const bytesOf = (value: string) => Buffer.from(" ".repeat(before) + value, "utf8");
  const name = before === 0 ? "" : ` behind ${before} more`;
  const lead = before === 0 ? "" : `{ printf '%${before}s' ''; cat; } | `;
  const common = { ofBytes: true, skip: Math.ceil((before * 8) / 6) } as const;
  return [
    {
      ...common,
      name: `in base64${name}`,
      encode: (value: string) => bytesOf(value).toString("base64"),
      filters: `${lead}base64 | tr -d '\\n'`,
    },
    {
      ...common,
      name: `in base64url${name}`,
      encode: (value: string) => bytesOf(value).toString("base64url"),
      filters: `${lead}base64 | tr -d '=\\n' | tr '+/' '-_'`,
    },
  ];
});

/** No secret, but what lets in where a digest is taken for one. */
const digest: Form = {
  name: "as SHA-256 in hex",
  encode: (value) => createHash("sha256").update(value).digest("hex"),
  // The first is Linux's, the second macOS's.
  filters: "{ sha256sum 2>/dev/null || shasum -a 256; } | cut -c 1-64",
  ofBytes: true,
};

/** All of them; of two that are the same for a secret, the first gives the name. */
export const forms: readonly Form[] = [...written, ...inHex, ...inBase64, digest];

/** From which character of a form (after `skip`) to which. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** How long the whole form is. */
  readonly of: number;
}

/**
 * What bash expands to that part of the form, inside double quotes and with no process seeing it among its arguments;
 * undefined where nothing short does.
 */
export function bashOf(form: Form, variable: string, value: string, { from, to, of }: Span): string | undefined {
  const { filters, ofBytes, skip = 0 } = form;
  const whole = from === 0 && to === of;
  if (filters === "" && whole) return `\${${variable}}`;
  const isPlain = ofBytes ?? /^[ -~]*$/.test(value);
  if (filters === undefined || !isPlain) return undefined;
  if (filters === "") return `\${${variable}:${from}:${to - from}}`;
  const part = whole && skip === 0 ? "" : ` | cut -c ${skip + from + 1}-${skip + to}`;
  return `$(printf %s "$${variable}" | ${filters}${part})`;
}
