/** The steps of a story as sentences. */
import { neutral } from "../http/exchange.ts";
import type { Reference, RouteName, SendStep, Step } from "./story.ts";

export function sentenceOf(step: Step): string {
  if (step.do === "send") return requestIn(step);
  if (step.do === "pass") return `${step.ms} ms pass`;
  if (step.do === "settle") return `task ${step.task + 1} of ${step.flow} ends: ${step.status}`;
  if (step.do === "persist") {
    return step.fail.length === 0 ? "storing works again" : `storing fails: ${step.fail.join(", ")}`;
  }
  return `at once: ${step.sends.map(requestIn).join("; ")}`;
}

/** Which of a lane's routes sends a request. */
const through: Readonly<Record<RouteName, string>> = {
  route: "",
  sibling: "another route of the session: ",
  stranger: "a route of another session: ",
};

export function requestIn({ route, body, as, form = "usual" }: SendStep): string {
  const { action, ...fields } = body ?? {};
  const words = Object.entries(fields).map(([name, value]) => `${name}=${valueIn(value)}`);
  const content = [(JSON.stringify(action) ?? "no action").replaceAll('"', ""), ...words];
  return `${through[route]}${content.join(" ")}${as === undefined ? "" : ` (gives ${as})`}${form === "usual" ? "" : ` (${form})`}`;
}

function valueIn(value: unknown): string {
  const { $flow, $revision, at, by = 1, as } = (typeof value === "object" && value !== null ? value : {}) as Reference;
  if ($flow !== undefined) return $flow;
  if ($revision === undefined) return neutral(JSON.stringify(value) ?? "", 80);
  if (as !== undefined) return `current (as ${as})`;
  if (at === "current" || at === undefined) return `current`;
  return at === "stale" ? `stale (${by} back)` : `ahead by ${by}`;
}
