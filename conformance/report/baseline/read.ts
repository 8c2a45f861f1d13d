/** Reads a baseline and reports all of its faults at once, each with its line. */
import { readFile } from "node:fs/promises";
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import type { z } from "zod";
import { nearestOf } from "../../foundation/nearest.ts";
import { firstLineOf } from "../../foundation/message-of.ts";
import { safeLine } from "../../foundation/safe-text.ts";
import { UsageError } from "../../foundation/usage-error.ts";
import { baselineSchema, type Baseline, type BaselineEntry } from "./baseline.ts";

interface Fault {
  readonly offset: number;
  readonly text: string;
}

/** What a baseline is checked against. */
interface BaselineContext {
  /** Every case of the suite. */
  readonly caseIds: readonly string[];
  /** The profile of the run; any where it is not given. */
  readonly profile?: string;
  /** Reasons may still be blank: the file is about to be written anew. */
  readonly unfinished?: boolean;
}

/** Throws `UsageError` with every fault and its line. */
export async function readBaseline(file: string, context: BaselineContext): Promise<Baseline> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`the baseline ${file} could not be read: ${firstLineOf(error)}`);
  }
  return parseBaseline(text, file, context);
}

/** `origin` names the text in errors. Throws `UsageError` with every fault and its line. */
export function parseBaseline(text: string, origin: string, context: BaselineContext): Baseline {
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    throw new UsageError(`${origin} is no baseline: it is nested too deeply`);
  }
  const faults = errors.map(({ offset, error }) => ({ offset, text: `not JSON: ${wordsOf(error)}` }));
  if (tree?.type === "object") faults.push(...faultsIn(tree, context));
  else if (errors.length === 0) faults.push({ offset: 0, text: "not an object" });
  if (faults.length > 0) throw new UsageError(`${origin} cannot be used as a baseline:\n${listOf(faults, text)}`);
  return withReasons(getNodeValue(tree as Node) as Unfinished);
}

/** A file that someone still works on: a reason that is absent counts as blank. */
type Unfinished = Omit<Baseline, "entries"> & {
  readonly entries: readonly (Omit<BaselineEntry, "reason"> & { readonly reason?: string })[];
};

function withReasons(read: Unfinished): Baseline {
  return { ...read, entries: read.entries.map((entry) => ({ ...entry, reason: entry.reason ?? "" })) };
}

/** `CommaExpected` -> `comma expected`. */
function wordsOf(error: ParseError["error"]): string {
  return printParseErrorCode(error)
    .replaceAll(/(?!^)([A-Z])/g, " $1")
    .toLowerCase();
}

function listOf(faults: readonly Fault[], text: string): string {
  const numbered = faults.map(({ offset, text: what }) => ({ line: lineOf(text, offset), what }));
  const inOrder = numbered.sort((a, b) => a.line - b.line);
  return inOrder.map(({ line, what }) => `  line ${line}: ${safeLine(what)}`).join("\n");
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function faultsIn(tree: Node, context: BaselineContext): Fault[] {
  const checked = baselineSchema.safeParse(getNodeValue(tree));
  const found = checked.error?.issues ?? [];
  const issues = context.unfinished ? found.filter((issue) => !isOfUnfinishedReason(tree, issue)) : found;
  return [...issues.flatMap((issue) => schemaFaults(tree, issue)), ...faultsOfMeaning(tree, context)];
}

/** An unfinished file may have a reason that is blank or absent, but none of another type. */
function isOfUnfinishedReason(tree: Node, { path }: z.core.$ZodIssue): boolean {
  if (path[2] !== "reason") return false;
  const node = findNodeAtLocation(tree, path as (string | number)[]);
  return node === undefined || node.type === "string";
}

function schemaFaults(tree: Node, issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path as (string | number)[];
  const where = placeOf(tree, path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const node = findNodeAtLocation(tree, [...path, key]);
      return { offset: node?.parent?.offset ?? 0, text: `${where}: there is no field "${key}"` };
    });
  }
  const node = findNodeAtLocation(tree, path);
  if (node !== undefined) return [{ offset: node.offset, text: `${where}: ${issue.message}` }];
  const holder = findNodeAtLocation(tree, path.slice(0, -1)) ?? tree;
  const name = String(path.at(-1));
  const hint = name === "reason" ? ": say why the deviation is accepted" : "";
  return [{ offset: holder.offset, text: `${placeOf(tree, path.slice(0, -1))} has no "${name}"${hint}` }];
}

/** What the schema cannot see: unknown cases, two entries for one case, another profile. */
function faultsOfMeaning(tree: Node, { caseIds, profile }: BaselineContext): Fault[] {
  const faults: Fault[] = [];
  const known = new Set(caseIds);
  const seen = new Map<string, number>();
  const entries = findNodeAtLocation(tree, ["entries"])?.children ?? [];
  for (const [index, entry] of entries.entries()) {
    const node = findNodeAtLocation(entry, ["case"]);
    if (typeof node?.value !== "string" || node.value === "") continue;
    const id = node.value;
    const before = seen.get(id);
    if (!known.has(id)) {
      const text = `entries[${index}]: there is no case "${id}"${nearestOf(id, caseIds)}`;
      faults.push({ offset: node.offset, text });
    } else if (before !== undefined) {
      faults.push({ offset: node.offset, text: `entries[${index}]: ${id} has an entry already, entries[${before}]` });
    }
    seen.set(id, before ?? index);
  }
  const written = findNodeAtLocation(tree, ["profile"]);
  if (profile !== undefined && typeof written?.value === "string" && written.value !== profile) {
    const text = `profile: it was written for "${written.value}", the run is held to "${profile}"`;
    faults.push({ offset: written.offset, text });
  }
  return faults;
}

/** `entries[2] (AUTH-BEARER).reason` */
function placeOf(tree: Node, path: readonly (string | number)[]): string {
  const [list, index, ...rest] = path;
  if (list !== "entries" || typeof index !== "number") return path.join(".") || "the file";
  const id: unknown = findNodeAtLocation(tree, ["entries", index, "case"])?.value;
  return [`entries[${index}]${typeof id === "string" ? ` (${id})` : ""}`, ...rest].join(".");
}
