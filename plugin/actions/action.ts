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
