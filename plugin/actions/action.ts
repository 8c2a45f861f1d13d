import type { z } from "zod";
import type { Answer } from "../answer.ts";
import type { Action, RouteContext } from "../contract.ts";

/** An action whose `run` is checked against its own schema. */
export function defineAction<Schema extends z.ZodObject>(action: {
  name: string;
  schema: Schema;
  run(fields: z.infer<Schema>, context: RouteContext): Promise<Answer>;
}): Action {
  return action;
}

/** What is wrong with the fields sent. Names only fields that the action has: an unknown name could itself be a secret. */
export function invalidFields(action: Action, issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `${action.name} takes no other fields than ${["action", ...Object.keys(action.schema.shape)].join(", ")}.`
      : `${String(issue.path[0])}: ${issue.message}.`,
  );
  return faults.join(" ");
}
