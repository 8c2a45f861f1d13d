import type { z } from "zod";
import type { Action } from "../contract.ts";

/** What is wrong with an action's fields. Names only fields the action has: an unknown name could itself be a secret. */
export function invalidFields(action: Action, issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `${action.name} takes no other fields than ${["action", ...Object.keys(action.schema.shape)].join(", ")}.`
      : `${String(issue.path[0])}: ${issue.message}.`,
  );
  return faults.join(" ");
}
