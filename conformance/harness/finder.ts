/** Finds values in the text of an answer, in each form that redaction knows. */
import { createHash } from "node:crypto";
import { jsonOf, textOf, type Answer, type Exchange } from "../http/exchange.ts";
import { forms } from "../http/secret-forms.ts";
import type { Breach } from "./watcher.ts";

/** Whether a text holds one of some values. */
export type Finder = (text: string) => boolean;

/** Shorter forms would be found where there are none. */
const LEAST = 8;

/** How many characters all texts have in common, from the start. */
function sharedStart([first = "", ...others]: readonly string[]): number {
  let shared = 0;
  while (shared < first.length && others.every((other) => other[shared] === first[shared])) shared += 1;
  return shared;
}

/** By code units: only two texts that are reversed alike are compared. */
const reversed = (text: string) => text.split("").toReversed().join("");

/** The part of a value's form that does not depend on what stands behind the value. */
function steadyPart(encode: (value: string) => string, value: string): string {
  const texts = ["", "a~", "Z0"].map((after) => encode(`${value}${after}`));
  const [text = ""] = texts;
  const shared = sharedStart(texts);
  // Less than the value's length: the form may be written from its end.
  return shared >= value.length ? text.slice(0, shared) : text.slice(text.length - sharedStart(texts.map(reversed)));
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Finds any form of the values; case is ignored. */
export function finderOf(...values: string[]): Finder {
  const texts = values.flatMap((value) =>
    value === "" ? [] : forms.map(({ encode, skip = 0 }) => steadyPart(encode, value).slice(skip).toLowerCase()),
  );
  const long = [...new Set(texts)].filter((text) => text.length >= LEAST);
  if (long.length === 0) return () => false;
  const pattern = new RegExp(long.map(literal).join("|"));
  return (text) => pattern.test(text.toLowerCase());
}

/** Finds digests of the values in hex: a digest still identifies a flow's owner, and confirms a guessed session key. */
export function digestFinder(...values: string[]): Finder {
  const algorithms = ["md5", "sha1", "sha256"];
  const digests = new Set(
    values.flatMap((value) => algorithms.map((name) => createHash(name).update(value).digest("hex"))),
  );
  return (text) => (text.match(/\b[0-9a-f]{32,}/gi) ?? []).some((run) => digests.has(run.toLowerCase()));
}

/** A text, and what it is once its JSON escapes are undone. */
export function readings(text: string): string {
  if (!text.includes("\\")) return text;
  return `${text}\n${text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, undone)}`;
}

function undone(_all: string, hex: string | undefined, plain: string | undefined): string {
  return hex === undefined ? (plain ?? "") : String.fromCharCode(Number.parseInt(hex, 16));
}

const headerLines = ({ headers }: Answer) => [...headers].map(([name, values]) => `${name}: ${values.join(", ")}`);

/** Several invariants read the same answer, one after the other. */
const read = new WeakMap<Answer, string>();
/** The text of a longer answer is not kept: a case holds its answers to the end. */
const MAX_KEPT_BYTES = 64 * 1024;

/** All that an answer says. */
export function textsOf(answer: Answer): string {
  const known = read.get(answer);
  if (known !== undefined) return known;
  const text = [...headerLines(answer), readings(textOf(answer))].join("\n");
  if (answer.body.byteLength <= MAX_KEPT_BYTES) read.set(answer, text);
  return text;
}

/** Where an answer holds what is found: a header, or a path in the JSON body that is the same in every run. */
export function placeOf({ answer }: Exchange, finds: Finder): string {
  if (answer === undefined) return "nowhere";
  const header = [...answer.headers.keys()].find((_name, index) => finds(headerLines(answer)[index] ?? ""));
  if (header !== undefined) return `the header ${header}`;
  return placeIn(jsonOf(answer), "", finds) ?? "the body";
}

/** The same for people, and where the caller had sent what is found. */
export function leakSeen(name: string, exchange: Exchange, finds: Finder): NonNullable<Breach["seen"]> {
  const place = placeOf(exchange, finds);
  const what = `${name} in ${/^(the|a) /.test(place) ? place : `the field ${place}`} of the answer`;
  return { what, where: sentIn(exchange, finds) };
}

const SHOWN_HEADERS = 3;

/** Where a request holds what is found: of several headers the one that the answer repeats most of. */
function sentIn({ request, answer }: Exchange, finds: Finder): string {
  const found = request.headers.filter(([, value]) => finds(value));
  const texts = answer === undefined ? "" : textsOf(answer);
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
  return places.length === 0 ? "the request did not hold it" : `sent in ${places.join(" and ")}`;
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
