/** A failure's signature: what was expected and what came, without what differs from run to run. */
import { createHash } from "node:crypto";

/** The most characters of a signature. A longer one is cut, and ends with a hash of the whole, so that two stay distinct. */
const LONGEST = 240;

/** What differs from run to run. A lane's name does, since a case takes any free lane. Specific patterns come first. */
const fleeting: readonly (readonly [RegExp, string])[] = [
  [/\$\{WEBHOOKS_SECRET_[A-Z0-9_]+[^{}]*\}/g, "<secret>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, "<address>"],
  [/\b(localhost|\[[0-9a-f:]+\]):\d+\b/gi, "<address>"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, "<id>"],
  [/\blane-\d+(-sibling|-stranger)?\b/gi, "<lane>"],
  [/\b\d+(\.\d+)? ?(ms|milliseconds|s|seconds)\b/g, "<n> $2"],
  [/\b(port|pid|process) \d+\b/gi, "$1 <n>"],
  [/\b\d{5,}\b/g, "<n>"],
];

/** `expected` and `actual` as a report has them, secrets taken out; a text of at most 250 characters on one line. */
export function signatureOf(expected: string, actual: string): string {
  let text = `expected ${oneLine(expected)}; got ${oneLine(actual)}`;
  for (const [pattern, name] of fleeting) text = text.replaceAll(pattern, name);
  if (text.length <= LONGEST) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${text.slice(0, LONGEST)}#${hash}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
