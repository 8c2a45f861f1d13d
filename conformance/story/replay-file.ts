/** A broken story as a file: to be played again on any target, and to be kept as a regression case. */
import { z } from "zod";
import { clauseIds, type ClauseId } from "../interface/clauses/index.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { checkedBy } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { storyStepsSchema } from "./story.ts";

export const REPLAY_FORMAT = "webhooks-conformance/replay@1";

export const replaySchema = z
  .strictObject({
    format: z.literal(REPLAY_FORMAT),
    property: z
      .string()
      .regex(/^PROPERTY-[A-Z-]+$/)
      .describe("The case that found it."),
    clause: z.enum(clauseIds as [ClauseId, ...ClauseId[]]),
    expected: z.string(),
    actual: z.string(),
    seed: z.int().min(0),
    run: z.int().min(0).describe("The run of that seed, from 0."),
    profile: z.string(),
    target: z.string().describe("The target that showed it."),
    steps: storyStepsSchema,
  })
  .describe("Requests that once showed a departure from the interface, and what stands for what the target gave.");

export type ReplayFile = z.infer<typeof replaySchema>;

/** Checks what a replay file holds. Throws `UsageError` with every fault. */
export function checkReplay(value: unknown, origin: string): ReplayFile {
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === "string" && format !== REPLAY_FORMAT) {
    throw new UsageError(
      `${origin} has the format ${safeLine(format.slice(0, 60))}; this version reads ${REPLAY_FORMAT}`,
    );
  }
  return checkedBy(replaySchema, value, `${origin} is not a replay file`);
}
