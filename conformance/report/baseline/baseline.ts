/** The baseline: the deviations that its owner knows of. Each entry names one finding of a case, and the reason. */
import { z } from "zod";

export const BASELINE_FORMAT = "webhooks-conformance/baseline@2";

const SAY_WHY = "say why the deviation is accepted";

export const entrySchema = z.strictObject({
  case: z.string().min(1).describe("The case's id."),
  signature: z
    .string()
    .min(1)
    .describe("The finding as `baseline write` takes it from a report; any other finding of the case is red."),
  combination: z
    .array(z.strictObject({ factor: z.string(), values: z.array(z.string()).min(1).readonly() }))
    .readonly()
    .optional()
    .describe("Of a case made of rows: the values with which it is found; with any other value it is red."),
  reason: z
    .string(SAY_WHY)
    .refine((text) => text.trim() !== "", SAY_WHY)
    .describe("Why the deviation is accepted. Not blank."),
  link: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where it is dealt with."),
  expires: z.iso.date().optional().describe("The last day on which it is accepted, UTC: YYYY-MM-DD."),
});

export const baselineSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(BASELINE_FORMAT),
  suite: z.string().min(1).describe("The version of the suite that it was written with."),
  target: z.string().min(1).describe("The name of the target that it was written for."),
  profile: z.string().min(1).describe("The profile that it was written for; a run with another one refuses it."),
  entries: z.array(entrySchema),
});

export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineEntry = z.infer<typeof entrySchema>;
