/** Detects values that must not leave the target, in any encoding. */
import { createHash } from "node:crypto";
import type { Case } from "./case.ts";
import { check } from "./checks.ts";
import { envelopeOf, textOf, type Exchange } from "../http/exchange.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import type { Trial } from "./trial.ts";

/** A value that must not appear, and what a failure calls it. */
export interface Canary {
  readonly name: string;
  readonly value: string;
}

/** The part of a session key that the kit made: the rest of the target file's pattern may be a common text. */
function ownPart(trial: Trial, sessionKey: string): string {
  const [before = "", after = ""] = trial.instance.target.config.sessionKey.split("{name}");
  return sessionKey.slice(before.length, sessionKey.length - after.length);
}

/** Session keys of the case's routes, and whatever the control port planted in owner and requester fields. */
export function metadataOf(trial: Trial, ...more: string[]): Canary[] {
  const children = more.map((value) => ({ name: "a child's session key", value }));
  return [...metadataOfRoutes(trial, trial.route, trial.stranger), ...children];
}

/** A digest still identifies the flow's owner, and confirms a guessed session key. */
export const digestsOf = (sessionKey: string): Canary[] =>
  ["md5", "sha1", "sha256"].map((algorithm) => ({
    name: "a digest of a session key",
    value: createHash(algorithm).update(sessionKey).digest("hex"),
  }));

/** The same for these routes. */
export function metadataOfRoutes(trial: Trial, ...routes: ConfiguredRoute[]): Canary[] {
  const keys = new Set(routes.map((route) => ownPart(trial, route.sessionKey)));
  const canaries = trial.instance.control?.canaries ?? [];
  return [
    ...[...keys].map((value) => ({ name: "a session key", value })),
    ...[...new Set(routes.map(({ sessionKey }) => sessionKey))].flatMap(digestsOf),
    ...canaries.map((value) => ({ name: "owner or requester metadata", value })),
  ];
}

/** Secrets of routes: whole, and parts too long to match by accident. */
export function secretsOfRoutes(...routes: ConfiguredRoute[]): Canary[] {
  return routes.flatMap(({ secret }) =>
    [secret, secret.slice(0, 16), secret.slice(-16)].map((value) => ({ name: "a secret", value })),
  );
}

/** Base64 has three forms of a value, by its offset; the first and last characters depend on the neighbours. */
function base64Forms(value: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.from(" ".repeat(offset) + value, "utf8");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((bytes.byteLength * 8) / 6);
    return [bytes.toString("base64").slice(first, last), bytes.toString("base64url").slice(first, last)];
  });
}

/** The texts to search: as sent, percent-decoded, and every JSON text and name. */
function readings(text: string): string[] {
  const found = [text, text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))];
  try {
    collect(JSON.parse(text), found);
  } catch {
    // Not JSON: there is nothing to undo.
  }
  return found;
}

function collect(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    into.push(key);
    collect(item, into);
  }
}

/** The first canary that a text holds; case is ignored, except for base64. */
export function leakIn(text: string, canaries: readonly Canary[]): Canary | undefined {
  const texts = readings(text);
  const exact = texts.join("\n");
  const lower = exact.toLowerCase();
  return canaries.find((canary) => {
    if (canary.value === "") return false;
    const { anyCase, asIs } = formsOf(canary);
    return anyCase.some((form) => lower.includes(form)) || asIs.some((form) => exact.includes(form));
  });
}

interface Forms {
  /** In lower case; matched in any case. */
  readonly anyCase: readonly string[];
  readonly asIs: readonly string[];
}

/** A cache: a property searches thousands of answers for the same values. */
const known = new WeakMap<Canary, Forms>();

function formsOf(canary: Canary): Forms {
  const { value } = canary;
  const found = known.get(canary);
  if (found !== undefined) return found;
  const plain = [value, Buffer.from(value, "utf8").toString("hex"), encodeURIComponent(value)];
  const forms = {
    anyCase: [...new Set(plain.map((form) => form.toLowerCase()))],
    asIs: [...new Set(base64Forms(value))],
  };
  known.set(canary, forms);
  return forms;
}

/** Where a text holds the canary: its path in the JSON, stable from run to run. */
function placeIn(text: string, canary: Canary): string {
  const walk = (value: unknown, path: string): string | undefined => {
    if (typeof value === "string") return leakIn(value, [canary]) && path;
    if (typeof value !== "object" || value === null) return undefined;
    for (const [key, item] of Object.entries(value)) {
      if (leakIn(key, [canary])) return `a field's name in ${path || "the body"}`;
      const place = walk(item, Array.isArray(value) ? `${path}[]` : path === "" ? key : `${path}.${key}`);
      if (place !== undefined) return place;
    }
    return undefined;
  };
  try {
    return walk(JSON.parse(text), "") ?? "the body";
  } catch {
    return "the body";
  }
}

/** The texts of an answer by place: the body, and each header with its name. */
function placesOf(exchange: Exchange): [place: string | undefined, text: string][] {
  if (exchange.answer === undefined) return [];
  const headers = [...exchange.answer.headers].map(([name, values]): [string, string] => {
    return [`the header ${name}`, `${name}: ${values.join(", ")}`];
  });
  return [[undefined, textOf(exchange.answer)], ...headers];
}

/** Fails where an answer holds one of the canaries. `expected` and `actual` are the same in every run. */
export function assertNoLeak(canaries: readonly Canary[], ...exchanges: Exchange[]): void {
  for (const exchange of exchanges) {
    for (const [place, text] of placesOf(exchange)) {
      const leak = leakIn(text, canaries);
      const actual = leak === undefined ? "" : `${leak.name} at ${place ?? placeIn(text, leak)}`;
      check(leak === undefined, "an answer without session keys, owner metadata or secrets", actual, exchange);
    }
  }
}

/** Whether an answer has any content: without, "no leak" would be a vacuous pass. */
export function says(exchange: Exchange): boolean {
  const { result, error } = envelopeOf(exchange) ?? {};
  const filled = typeof result === "object" && result !== null && Object.keys(result).length > 0;
  return filled || (typeof error === "string" && error !== "");
}

/** What the cases on leaks share. */
export const leakCase = { clauses: ["NO-METADATA"], level: "must" } as const satisfies Partial<Case>;
