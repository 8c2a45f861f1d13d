import type { z } from "zod";
import type { Answer } from "../answer.ts";
import type { RouteContext } from "../exchange.ts";

/** One entry of the table of actions. */
export interface Action {
  readonly name: string;
  /** The request's fields beside `action`. */
  readonly schema: z.ZodObject;
  /** `fields` as the schema gave them; the runtime's answers are awaited, whether promises or not. */
  run(fields: Record<string, unknown>, context: RouteContext): Promise<Answer>;
}

/** An action whose `run` is checked against its own schema. */
export function defineAction<Schema extends z.ZodObject>(action: {
  name: string;
  schema: Schema;
  run(fields: z.infer<Schema>, context: RouteContext): Promise<Answer>;
}): Action {
  return action;
}
