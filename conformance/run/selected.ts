/** The part of the suite that a run was asked for, as reports record it. */
import { z } from "zod";

export const selectionSchema = z.strictObject({
  sections: z.array(z.int()).optional(),
  clauses: z.array(z.string()).optional(),
  cases: z.array(z.string()).optional().describe("Ids, or patterns with * and ?."),
  capabilities: z.array(z.string()).optional(),
  quick: z.boolean().describe("Without the cases that let real time pass or send very many requests."),
  shard: z.strictObject({ index: z.int().min(1), of: z.int().min(1) }).optional(),
});

export type Selection = z.infer<typeof selectionSchema>;
