/** A broken story as a file: to be played again on any target, and to be kept as a regression case. */
import { z } from "zod";
import { clauseIds, type ClauseId } from "../interface/clauses/index.ts";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { schemaFaults } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { storySchema } from "./story.ts";

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
    steps: storySchema,
  })
  .describe("Requests that once showed a departure from the interface, and what stands for what the target gave.");

export type ReplayFile = z.infer<typeof replaySchema>;

/** Reads a replay file's text. Throws `UsageError` with every fault. */
export function parseReplay(text: string, origin: string): ReplayFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${origin} is not JSON: ${firstLineOf(error)}`);
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === "string" && format !== REPLAY_FORMAT) {
    throw new UsageError(
      `${origin} has the format ${safeLine(format.slice(0, 60))}; this version reads ${REPLAY_FORMAT}`,
    );
  }
  const checked = replaySchema.safeParse(value);
  if (checked.success) return checked.data;
  const faults = schemaFaults(checked.error);
  throw new UsageError(`${origin} is not a replay file:\n${faults}`);
}
