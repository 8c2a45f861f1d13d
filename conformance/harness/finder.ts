/** Finds values in the text of an answer, in each form that redaction knows. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { jsonOf, textOf, type Answer, type Exchange } from "../http/exchange.ts";
import { digests as digestForms, formsOf, squeeze, squeezedFormsOf } from "../http/secret-forms.ts";
import { SecretIndex } from "../http/secret-index.ts";
import type { Finding } from "./finding.ts";

export type Finder = (text: string) => boolean;

/** A value that must not appear, and what a failure calls it. */
export interface Canary {
  readonly name: string;
  readonly value: string;
  /** Only digests of it are looked for: one still identifies a flow's owner, and confirms a guessed session key. */
  readonly digest?: true;
}

export type Search = (text: string) => readonly Canary[];

/** Shorter encoded forms of a value would match by chance. */
const LEAST = 8;

/** Finds any form of the canaries; case is ignored. */
export function searchFor(canaries: readonly Canary[]): Search {
  const digests = new Map<string, Canary>();
  for (const canary of canaries)
    if (canary.digest) for (const text of digestsIn(canary.value)) if (!digests.has(text)) digests.set(text, canary);
  const whole = canaries.filter(({ digest }) => digest !== true);
  const placesIn = formsIn(whole.map(({ value }) => value));
  return (text) => {
    const hex = digests.size === 0 ? null : text.match(/\b[0-9a-f]{32,}/gi);
    const digested = (hex ?? []).flatMap((run) => digests.get(run.toLowerCase()) ?? []);
    const found = new Set([...digested, ...placesIn(text).map((place) => whole[place])]);
    return canaries.filter((canary) => found.has(canary));
  };
}

/** Finds the places of those values of which a text holds a form. */
type Places = (text: string) => number[];

/** Cached: building a search takes as long as hundreds of searches, and all servers of a run look for the same values. */
let lately: { readonly values: readonly string[]; readonly places: Places } | undefined;

function formsIn(values: readonly string[]): Places {
  if (lately !== undefined && isDeepStrictEqual(lately.values, values)) return lately.places;
  const asIs = placesIn(values, wholeForms);
  const squeezed = placesIn(values, (value) => squeezedFormsOf(value).map(({ text }) => text));
  const places: Places = (text) => [...asIs(text.toLowerCase()), ...squeezed(squeeze(text))];
  lately = { values, places };
  return places;
}

function placesIn(values: readonly string[], textsFor: (value: string) => string[]): Places {
  const places = new Map<string, number>();
  for (const [place, value] of values.entries())
    for (const text of textsFor(value)) if (!places.has(text)) places.set(text, place);
  const found = [...places.values()];
  const index = new SecretIndex(
    Array.from(places.keys(), (text) => ({ text, least: text.length })),
    LEAST,
  );
  return (text) => index.runsIn(text).map((run) => found[run.sought] as number);
}

/** The forms of a value, without what depends on its surroundings. */
function wholeForms(value: string): string[] {
  const known = formsOf(value).filter(({ form }) => !digestForms.includes(form));
  const texts = known.map(({ form, text }) => text.slice(0, text.length - (form.end ?? 0)).toLowerCase());
  return texts.filter((text) => text.length >= LEAST);
}

const digestsIn = (value: string) =>
  ["md5", "sha1", "sha256"].map((name) => createHash(name).update(value).digest("hex"));

/** A text, and what it is once its JSON escapes are undone. */
export function readings(text: string): string {
  if (!text.includes("\\")) return text;
  return `${text}\n${text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, undone)}`;
}

function undone(_all: string, hex: string | undefined, plain: string | undefined): string {
  return hex === undefined ? (plain ?? "") : String.fromCharCode(Number.parseInt(hex, 16));
}

const headerLines = ({ headers }: Answer) => [...headers].map(([name, values]) => `${name}: ${values.join(", ")}`);

/** All that an answer says, header by header, and the body last. */
export const textsOf = (answer: Answer): string[] => [...headerLines(answer), readings(textOf(answer))];

/** Where an answer holds what is found: a header, or a path in the JSON body that is the same in every run. */
export function placeOf({ answer }: Exchange, finds: Finder): string {
  if (answer === undefined) return "nowhere";
  const header = [...answer.headers.keys()].find((_name, index) => finds(headerLines(answer)[index] ?? ""));
  if (header !== undefined) return `the header ${header}`;
  return placeIn(jsonOf(answer), "", finds) ?? "the body";
}

/** The same for people, and where the caller had sent what is found. */
export function leakSeen(name: string, exchange: Exchange, finds: Finder): NonNullable<Finding["seen"]> {
  const place = placeOf(exchange, finds);
  const what = `${name} in ${/^(the|a) /.test(place) ? place : `the field ${place}`} of the answer`;
  return { what, where: sentIn(exchange, finds) };
}

const SHOWN_HEADERS = 3;

/** Where a request holds what is found: of several headers the one that the answer repeats most of. */
function sentIn({ request, answer }: Exchange, finds: Finder): string {
  const found = request.headers.filter(([, value]) => finds(value));
  const texts = answer === undefined ? "" : textsOf(answer).join("\n");
  const repeated = found.filter(([, value]) => texts.includes(value));
  const longest = Math.max(...repeated.map(([, value]) => value.length));
  const likely = repeated.filter(([, value]) => value.length === longest);
  const headers = (likely.length === 0 ? found : likely).map(([name]) => name);
  const more = headers.length > SHOWN_HEADERS ? ` and ${headers.length - SHOWN_HEADERS} more` : "";
  const places = [
    ...(headers.length === 0
      ? []
      : [`the header${headers.length === 1 ? "" : "s"} ${headers.slice(0, SHOWN_HEADERS).join(", ")}${more}`]),
    ...(finds(request.path) ? ["the path"] : []),
    ...(finds(Buffer.from(request.body).toString("utf8")) ? ["the body"] : []),
  ];
  return places.length === 0 ? "" : `sent in ${places.join(" and ")}`;
}

function placeIn(value: unknown, path: string, finds: Finder): string | undefined {
  if (typeof value === "string") return finds(value) ? path || "the body" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value) && finds(key)) return `a field's name in ${path || "the body"}`;
    const below = Array.isArray(value) ? `${path}[]` : path === "" ? key : `${path}.${key}`;
    const place = placeIn(item, below, finds);
    if (place !== undefined) return place;
  }
  return undefined;
}
