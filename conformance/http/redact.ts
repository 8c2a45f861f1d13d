/** Takes secrets out of everything that is printed or written: whole or in part, in each form that they can have. */
import { formsOf, squeeze, squeezedFormsOf, type FormText } from "./secret-forms.ts";
import { SecretIndex, type SharedRun } from "./secret-index.ts";

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

interface Written extends FormText {
  readonly secret: Secret;
}

/**
 * Makes a function that replaces every run of characters that is long enough to help a guess: of any form of a secret
 * half its length, or 12 characters where that is less; below 6 only the whole. Where a form writes each character of
 * the secret for itself, 12 characters of the secret count. `secrets` may grow meanwhile.
 */
export function redactor(secrets: Iterable<Secret>): Redact {
  // Megabytes for all forms of all secrets: a run that prints nothing needs none of it.
  let made: { readonly of: number; readonly searches: readonly [Search, Search] } | undefined;
  const pieces = (text: string) => {
    if (text === "") return [];
    const all = [...secrets];
    if (made?.of !== all.length)
      made = { of: all.length, searches: [searchFor(all, formsOf), searchFor(all, squeezedFormsOf)] };
    const [asIs, squeezed] = made.searches;
    return piecesOf(text, text, asIs).flatMap((piece) =>
      typeof piece === "string" ? piecesOf(piece, squeeze(piece), squeezed) : piece,
    );
  };
  const redact = (text: string) =>
    pieces(text)
      .map((piece) => (typeof piece === "string" ? piece : piece.shown))
      .join("");
  return Object.assign(redact, { pieces });
}

interface Search {
  readonly written: readonly Written[];
  readonly index: SecretIndex;
}

function searchFor(secrets: Iterable<Secret>, textsOf: (value: string) => FormText[]): Search {
  const byValue = new Map<string, Secret>();
  for (const secret of secrets) if (!byValue.has(secret.value)) byValue.set(secret.value, secret);
  const written = [...byValue.values()].flatMap((secret) =>
    textsOf(secret.value).map((formText) => ({ ...formText, secret })),
  );
  return { written, index: new SecretIndex(written) };
}

/**
 * From left to right: of the runs that begin at a place the longest, of two forms with the same characters the first.
 * `searched`: the text, or what is left of it once it is squeezed.
 */
function piecesOf(text: string, searched: string, { written, index }: Search): Piece[] {
  const runs = index.runsIn(searched);
  if (runs.length === 0) return [text];
  const places = searched === text ? undefined : Array.from(text.matchAll(/[0-9A-Za-z]/g), (match) => match.index);
  const placeOf = (at: number) => (places === undefined ? at : (places[at] as number));
  const pieces: Piece[] = [];
  let [done, place] = [0, 0];
  for (const run of runs) {
    const start = Math.max(done, run.start);
    // What is left of a run that has begun in another one counts as a run of its own.
    if (run.end - start < (written[run.sought] as Written).least) continue;
    if (place < placeOf(start)) pieces.push(text.slice(place, placeOf(start)));
    pieces.push(hidden(run, start, written));
    done = run.end;
    place = placeOf(done - 1) + 1;
  }
  if (place < text.length) pieces.push(text.slice(place));
  return pieces;
}

/** What stands for a run from a place of the text on, where the run may have begun before. */
function hidden(run: SharedRun, start: number, written: readonly Written[]): Hidden {
  const { secret, form, text } = written[run.sought] as Written;
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
