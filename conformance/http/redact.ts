/** Takes secrets out of everything that is printed or written: whole or in part, in each form that they can have. */
import { forms, type Form } from "./secret-forms.ts";

export interface Secret {
  readonly value: string;
  /** The environment variable whose name stands in its place: `WEBHOOKS_SECRET_LANE_01`. */
  readonly variable: string;
}

/** A stretch of a text that gives no secret away, or what stands in the place of one that would. */
export type Piece = string | Hidden;

export interface Hidden {
  /** For people: `${WEBHOOKS_SECRET_LANE_01 in base64, characters 1-40 of 136}`. */
  readonly shown: string;
  /** What bash expands to the hidden text, inside double quotes; undefined for an encoded form of the secret. */
  readonly bash: string | undefined;
}

export interface Redact {
  /** The text, with what is `shown` for people in the place of secrets. */
  (text: string): string;
  /** The same text in pieces; together they are the whole of it. */
  pieces(text: string): Piece[];
}

interface Written {
  readonly secret: Secret;
  readonly form: Form;
  readonly text: string;
}

/** A place in a written form at which a match may begin. */
interface Start {
  readonly written: Written;
  readonly from: number;
}

/**
 * Makes a function that replaces every run of characters that is long enough to help a guess: of any form of a secret
 * half its length, or 12 characters where that is less; below 6 only the whole.
 */
export function redactor(secrets: Iterable<Secret>): Redact {
  // Tens of megabytes for all forms of all secrets: a run that prints nothing needs none of it.
  let starts: Starts | undefined;
  const pieces = (text: string) => piecesOf(text, (starts ??= startsOf(secrets)));
  const redact = (text: string) =>
    pieces(text)
      .map((piece) => (typeof piece === "string" ? piece : piece.shown))
      .join("");
  return Object.assign(redact, { pieces });
}

/** The shortest run of a form of `length` characters that is taken out. */
export function shortestRun(length: number): number {
  return Math.min(length, 12, Math.max(6, Math.ceil(length / 2)));
}

/** The texts of a value, each with its form, none twice. */
export function formsOf(value: string): { readonly form: Form; readonly text: string }[] {
  const texts = new Map<string, Form>();
  for (const form of forms) {
    const text = value === "" ? "" : form.encode(value).slice(form.skip ?? 0);
    if (text !== "" && !texts.has(text)) texts.set(text, form);
  }
  return [...texts].map(([text, form]) => ({ form, text }));
}

/** Every place of every form at which a run can begin: by the run's least length, then by its characters. */
type Starts = ReadonlyMap<number, ReadonlyMap<string, readonly Start[]>>;

function startsOf(secrets: Iterable<Secret>): Starts {
  const starts = new Map<number, Map<string, Start[]>>();
  const values = new Set<string>();
  for (const secret of secrets) {
    if (values.has(secret.value)) continue;
    values.add(secret.value);
    for (const { form, text } of formsOf(secret.value)) {
      const [written, length] = [{ secret, form, text }, shortestRun(text.length)];
      const runs = starts.get(length) ?? new Map<string, Start[]>();
      starts.set(length, runs);
      for (let from = 0; from + length <= text.length; from += 1) {
        const run = text.slice(from, from + length);
        const known = runs.get(run);
        if (known === undefined) runs.set(run, [{ written, from }]);
        else known.push({ written, from });
      }
    }
  }
  return starts;
}

function piecesOf(text: string, starts: Starts): Piece[] {
  const pieces: Piece[] = [];
  let [kept, index] = [0, 0];
  while (index < text.length) {
    const longest = longestAt(text, index, starts);
    if (longest === undefined) {
      index += 1;
      continue;
    }
    if (kept < index) pieces.push(text.slice(kept, index));
    pieces.push(hidden(longest.start, longest.length));
    index += longest.length;
    kept = index;
  }
  if (kept < text.length) pieces.push(text.slice(kept));
  return pieces;
}

/** The longest run of any secret that begins at one place of a text. */
function longestAt(text: string, index: number, starts: Starts) {
  let longest: { start: Start; length: number } | undefined;
  for (const [least, runs] of starts) {
    for (const start of runs.get(text.slice(index, index + least)) ?? []) {
      const { written, from } = start;
      let length = least;
      while (from + length < written.text.length && written.text[from + length] === text[index + length]) length += 1;
      if (length > (longest?.length ?? 0)) longest = { start, length };
    }
  }
  return longest;
}

function hidden({ written: { secret, form, text }, from }: Start, length: number): Hidden {
  const { variable, value } = secret;
  const part = length === text.length ? "" : `, characters ${from + 1}-${from + length} of ${text.length}`;
  const name = form.name === "" ? "" : ` ${form.name}`;
  const shown = `\${${variable}${name}${part}}`;
  if (form.name !== "") return { shown, bash: undefined };
  if (part === "") return { shown, bash: `\${${variable}}` };
  // Beyond ASCII, what bash counts as a character depends on the locale.
  return { shown, bash: /^[ -~]*$/.test(value) ? `\${${variable}:${from}:${length}}` : undefined };
}
