/** What the interface and the profile say of run_task's fields: a request is right, wrong, or left open; and how they are shown. */
import { actions, type Field } from "../interface/fields.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Gaps } from "../interface/flow-model.ts";
import { isOfOtherType } from "../interface/values.ts";
import { partsIn } from "../harness/checks.ts";
import { departure, type Departure } from "../harness/finding.ts";
import type { Learned } from "./learned.ts";

export type TaskVerdict =
  | { readonly kind: "right" }
  | { readonly kind: "wrong"; readonly clause: ClauseId; readonly status?: number; readonly code?: string }
  /** The interface does not say: the target's first response to the same deviations is its rule. */
  | { readonly kind: "open"; readonly deviations: string };

type Body = Readonly<Record<string, unknown>>;

const fields: Readonly<Record<string, Field>> = actions.run_task.fields;
const { values: runtimes } = actions.run_task.fields.runtime;
const runningOnly = ["startedAt", "lastEventAt", "progressSummary"] as const;
const invalid = { status: 400, code: "invalid_request" } as const;

/** What the interface states of the fields. */
const stated: readonly (readonly [ClauseId, isBroken: (body: Body) => boolean])[] = [
  // Any value counts as sent, except null: some languages cannot tell it from a missing field.
  ["RUN-TASK-RUNNING-FIELDS", (body) => body["status"] !== "running" && runningOnly.some((name) => isSent(body[name]))],
  ["RUN-TASK-RUNTIME", (body) => Object.hasOwn(body, "runtime") && !runtimes.includes(body["runtime"] as string)],
  ["RUN-TASK-FLOW", ({ flowId }) => typeof flowId !== "string" || flowId === ""],
  ["ERROR-INVALID", (body) => Object.entries(fields).some(([name, field]) => isOfOtherType(field, body[name] ?? null))],
];
const isSent = (value: unknown): boolean => (value ?? null) !== null;

/** Judges a body whose flowId is that of a flow, or is wrong by itself. */
export function taskVerdict(body: Body, gaps: Gaps): TaskVerdict {
  const broken = stated.find(([, isBroken]) => isBroken(body));
  if (broken !== undefined) return { kind: "wrong", clause: broken[0], ...invalid };
  const deviations = deviationsOf(body);
  const [code] = deviations.flatMap(({ gap }) => (gap && gaps[gap]) ?? []);
  if (code !== undefined) return { kind: "wrong", clause: "ERROR-INVALID", status: 400, code };
  const open = new Set(deviations.map(({ what }) => what));
  return open.size === 0 ? { kind: "right" } : { kind: "open", deviations: [...open].toSorted().join(", ") };
}

/** What the interface leaves open of the fields, and the gap in which a profile may have a code for it. */
interface Deviation {
  readonly what: string;
  readonly gap?: `validation.${"missing-field" | "blank-text" | "wrong-type" | "unknown-field"}`;
}

function deviationsOf(body: Body): readonly Deviation[] {
  const { task, status, startedAt, lastEventAt } = body;
  const all: readonly (Deviation & { readonly isThere: boolean })[] = [
    { what: "no runtime", gap: "validation.missing-field", isThere: !Object.hasOwn(body, "runtime") },
    { what: "no task", gap: "validation.missing-field", isThere: !Object.hasOwn(body, "task") },
    { what: `task: ${kindOf(task)}`, gap: "validation.blank-text", isThere: isBlank(task) },
    { what: "task: null", gap: "validation.wrong-type", isThere: task === null },
    ...Object.entries(body).map(([name, value]) => ({
      ...deviationOf(name, value, status),
      isThere: !isPlain(name, value),
    })),
    { what: "lastEventAt before startedAt", isThere: timeOf(lastEventAt) < timeOf(startedAt) },
  ];
  return all.filter(({ isThere }) => isThere);
}

/** A field with a value that the interface does not show. */
function deviationOf(name: string, value: unknown, status: unknown): Deviation {
  if (!Object.hasOwn(fields, name)) return { what: `the field ${name}`, gap: "validation.unknown-field" };
  return { what: `${what(name, value)}: ${kindOf(value)}${isEarly(name, status) ? ", not running" : ""}` };
}

const shownAs = (result: unknown, name: string): unknown[] =>
  partsIn(result).flatMap(([field, value]) => (field === name ? [value] : []));

/** A target that shows a child's fields as they were sent has to do so each time, without cutting or replacing a value. */
export function shownOtherwise(learned: Learned, body: Body, result: unknown): Departure | undefined {
  for (const name of ["runtime", "task", "progressSummary", "startedAt", "lastEventAt"]) {
    const sent = body[name];
    const shown = shownAs(result, name).filter((value) => typeof value === typeof sent);
    const rule = `run_task shows ${name} as it was sent`;
    if (shown.length === 0 || learned.holds(rule, shown.includes(sent) ? "yes" : "no")) continue;
    if (learned.get(rule) === "yes") return departure("ACTION-RUN-TASK", `${name} as it was sent`, "another value");
  }
  return undefined;
}

const given = (text: unknown): string => `run_task was given ${JSON.stringify(text)}`;

/** A progressSummary that no run_task of the flow gave (`started`) may be any text but one that a task of another flow was given. */
export function takenOver(learned: Learned, started: readonly Body[], result: unknown): Departure | undefined {
  const own = started.map(({ progressSummary }) => progressSummary);
  for (const text of own.filter(isSent)) learned.holds(given(text), "yes");
  const shown = shownAs(result, "progressSummary").filter((text) => !own.includes(text));
  return shown.some((text) => learned.get(given(text)) === "yes")
    ? departure("ACTION-RUN-TASK", "no progressSummary of another flow's task", "one")
    : undefined;
}

/** The form of a time stamp is open, but both fields have it: who takes it in one of them takes it in both and in either. */
function what(name: string, value: unknown): string {
  const isTime = name === "startedAt" || name === "lastEventAt";
  return isTime && ["a date", "milliseconds"].includes(kindOf(value)) ? "time stamps" : name;
}

/** Whether null in a field of running tasks is accepted is learned separately for status running and any other. */
const isEarly = (name: string, status: unknown): boolean =>
  status !== "running" && runningOnly.some((field) => field === name);

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

/** Values that the interface itself shows; the required fields have rules of their own. */
function isPlain(name: string, value: unknown): boolean {
  if (["action", "flowId", "runtime", "task"].includes(name)) return true;
  if (name === "status") return value === "running";
  return name === "progressSummary" && typeof value === "string" && !isBlank(value);
}

/** A value by what a target may tell apart: its JSON type, whether it is empty, and its size as a time. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string")
    return value === ""
      ? "empty"
      : value.trim() === ""
        ? "blank"
        : /^\d{4}-\d\d-\d\dT/.test(value)
          ? "a date"
          : `"${value}"`;
  if (typeof value === "number") {
    if (!Number.isInteger(value)) return "a fraction";
    return value < 0 ? "negative" : value === 0 ? "zero" : value < A_YEAR_MS ? "a small integer" : "milliseconds";
  }
  return Array.isArray(value) ? "a list" : "an object";
}

/** Every plausible time since the epoch is larger. */
const A_YEAR_MS = 31_536_000_000;

const timeOf = (value: unknown): number =>
  typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
