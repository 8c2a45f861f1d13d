/** Takes secrets out of everything that is printed or written: whole or in part, in each form that they can have. */
import { forms, type Form } from "./secret-forms.ts";
import { SecretIndex, type Run } from "./secret-index.ts";

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

/** A text that a form makes of a secret, and the shortest run of it that is taken out. */
interface FormText {
  readonly form: Form;
  readonly text: string;
  readonly least: number;
}

interface Written extends FormText {
  readonly secret: Secret;
}

/**
 * Makes a function that replaces every run of characters that is long enough to help a guess: of any form of a secret
 * half its length, or 12 characters where that is less; below 6 only the whole. Where a form writes each character of
 * the secret for itself, as many characters of the secret count as of the secret as it is.
 */
export function redactor(secrets: Iterable<Secret>): Redact {
  // Megabytes for all forms of all secrets: a run that prints nothing needs none of it.
  let search: Search | undefined;
  const pieces = (text: string) => (text === "" ? [] : piecesOf(text, (search ??= searchFor(secrets))));
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
export function formsOf(value: string): FormText[] {
  const characters = Array.from(value);
  const texts = new Map<string, FormText>();
  for (const form of forms) {
    const text = value === "" ? "" : form.encode(value).slice(form.skip ?? 0);
    if (text !== "" && !texts.has(text)) texts.set(text, { form, text, least: leastOf(form, characters, text) });
  }
  return [...texts.values()];
}

/** Of an itemised form: the shortest that it makes of as many characters in a row as may not be left of the secret itself. */
function leastOf(form: Form, characters: readonly string[], text: string): number {
  if (form.itemised !== true) return shortestRun(text.length);
  const lengthOf = lengthsIn.get(form) as LengthOf;
  const between = lengthOf("aa") - 2 * lengthOf("a");
  const count = shortestRun(characters.length);
  let sum = 0;
  let least = Infinity;
  for (let index = 0; index < characters.length; index += 1) {
    sum += lengthOf(characters[index]!);
    if (index >= count) sum -= lengthOf(characters[index - count]!);
    if (index >= count - 1) least = Math.min(least, sum);
  }
  return least + between * (count - 1);
}

type LengthOf = (character: string) => number;

/** How long each form makes a character. It is asked for every character of every secret, and few of them are different. */
const lengthsIn = new Map<Form, LengthOf>(
  forms.map((form) => {
    const known = new Map<string, number>();
    const lengthOf: LengthOf = (character) => {
      let length = known.get(character);
      if (length === undefined) known.set(character, (length = form.encode(character).length));
      return length;
    };
    return [form, lengthOf];
  }),
);

interface Search {
  readonly written: readonly Written[];
  readonly index: SecretIndex;
}

function searchFor(secrets: Iterable<Secret>): Search {
  const byValue = new Map<string, Secret>();
  for (const secret of secrets) if (!byValue.has(secret.value)) byValue.set(secret.value, secret);
  const written = [...byValue.values()].flatMap((secret) =>
    formsOf(secret.value).map((formText) => ({ ...formText, secret })),
  );
  return { written, index: new SecretIndex(written) };
}

/** From left to right, and at each place the longest run that begins there or has begun before. */
function piecesOf(text: string, { written, index }: Search): Piece[] {
  const runs = index.runsIn(text);
  const pieces: Piece[] = [];
  let [kept, next] = [0, 0];
  /** Those that go on beyond what is hidden already, by enough characters to count. */
  let open: Run[] = [];
  for (;;) {
    const end = kept;
    while (runs[next] !== undefined && (runs[next] as Run).start <= end) open.push(runs[next++] as Run);
    open = open.filter((run) => run.end - end >= leastFor(run, written));
    let start = end;
    if (open.length === 0) {
      const following = runs[next];
      if (following === undefined) break;
      // The longest of those that begin at the same place comes first.
      [start, open] = [following.start, [following]];
      next += 1;
    }
    // Of two forms with the same characters the first gives the name.
    const longest = open.reduce((best, run) => {
      return run.end > best.end || (run.end === best.end && run.sought < best.sought) ? run : best;
    });
    if (kept < start) pieces.push(text.slice(kept, start));
    pieces.push(hidden(longest, start, written));
    kept = longest.end;
  }
  if (kept < text.length) pieces.push(text.slice(kept));
  return pieces;
}

const writtenOf = ({ sought }: Run, written: readonly Written[]) => written[sought] as Written;
const leastFor = (run: Run, written: readonly Written[]) => writtenOf(run, written).least;

/** What stands for a run from a place of the text on, where the run may have begun before. */
function hidden(run: Run, start: number, written: readonly Written[]): Hidden {
  const { secret, form, text } = writtenOf(run, written);
  const { variable, value } = secret;
  const [from, length] = [run.from + start - run.start, run.end - start];
  const part = length === text.length ? "" : `, characters ${from + 1}-${from + length} of ${text.length}`;
  const name = form.name === "" ? "" : ` ${form.name}`;
  const shown = `\${${variable}${name}${part}}`;
  if (form.name !== "") return { shown, bash: undefined };
  if (part === "") return { shown, bash: `\${${variable}}` };
  // Beyond ASCII, what bash counts as a character depends on the locale.
  return { shown, bash: /^[ -~]*$/.test(value) ? `\${${variable}:${from}:${length}}` : undefined };
}
