/** Takes secrets out of everything that is printed or written: plain, in either case, base64, percent, JSON-escaped. */

export interface Secret {
  readonly value: string;
  /** What stands in its place, for bash to expand: `${WEBHOOKS_SECRET_LANE_01}`. */
  readonly placeholder: string;
}

export type Redact = (text: string) => string;

/** Makes a function that replaces every form of every secret. */
export function redactor(secrets: Iterable<Secret>): Redact {
  const pairs = [...secrets]
    .flatMap(({ value, placeholder }) => formsOf(value).map((form) => [form, placeholder] as const))
    .sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const [form, placeholder] of pairs) redacted = redacted.replaceAll(form, () => placeholder);
    return redacted;
  };
}

/** The forms in which a value can slip into an answer, a header or a log line. */
export function formsOf(value: string): string[] {
  const forms = [value, value.toUpperCase(), value.toLowerCase()].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
  ]);
  const hex = Buffer.from(value, "utf8").toString("hex");
  const percent = hex.replace(/../g, "%$&");
  forms.push(hex, hex.toUpperCase(), percent, percent.toUpperCase(), ...base64Forms(value));
  return [...new Set(forms)].filter((form) => form !== "");
}

/** The characters of base64 that the value alone decides, wherever it begins in what is encoded. */
function base64Forms(value: string): string[] {
  const length = Buffer.byteLength(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from(" ".repeat(before) + value, "utf8").toString("base64");
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + length) * 8) / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
