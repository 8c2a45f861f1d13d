/** Section 2: goals stored otherwise than they were given. */
import { Buffer } from "node:buffer";
import { withFlows } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const storesGoal = (mangle: (goal: string) => unknown): Change =>
  withFlows((flows) => ({
    tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, goal: mangle(input.goal) as string }),
  }));

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", '"': "&quot;", "&": "&amp;" };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const goals: readonly Subject[] = subjectsOf<Subject>({
  "goal-latin1": {
    bug: "A goal is stored byte by byte as Latin-1.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) => Buffer.from(goal, "latin1").toString("latin1")),
  },
  "goal-escaped": {
    bug: "A goal is stored with its signs escaped for HTML.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) => goal.replace(/[<>"&]/g, (sign) => entities[sign] ?? sign)),
  },
  "goal-one-line": {
    bug: "Line breaks and tabs in a goal become spaces.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) => goal.replace(/\s+/g, " ")),
  },
  "goal-comments-stripped": {
    bug: "Comments are taken out of a body as if it were code, so a goal with a URL loses what follows `https:`.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) => goal.replace(/\/\*.*?\*\//gs, "").replace(/\/\/.*$/gm, "")),
  },
  "goal-cut": {
    bug: "A goal is cut at 4,096 characters without a word.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) => goal.slice(0, 4096)),
  },
  "goal-parsed": {
    bug: "A goal that reads like a value is turned into one.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal(parsed),
  },
});
