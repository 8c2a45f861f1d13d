/** Takes secrets out of everything that is printed or written: plain, base64, percent and JSON-escaped. */

export interface Secret {
  readonly value: string;
  /** What stands in its place: `$WEBHOOKS_SECRET_LANE_01`. */
  readonly placeholder: string;
}

export type Redact = (text: string) => string;

/** Makes a function that replaces every form of every secret. */
export function redactor(secrets: Iterable<Secret>): Redact {
  const pairs = [...secrets]
    .flatMap(({ value, placeholder }) => formsOf(value).map((form) => [form, placeholder] as const))
    .filter(([form]) => form !== "")
    .sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const [form, placeholder] of pairs) redacted = redacted.replaceAll(form, placeholder);
    return redacted;
  };
}

/** The forms in which a value can slip into an answer, a header or a log line. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    base64,
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  return [...new Set(forms)];
}
