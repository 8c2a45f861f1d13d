import type { z } from "zod";
import { didYouMean } from "./nearest.ts";
import { safeLine } from "./safe-text.ts";
import { UsageError } from "./usage-error.ts";

/** Faults to tell: what has more has one mistake many times. */
const SHOWN = 20;

/** A line for each fault, nothing where there is none: names and values in it are those of the file, so nothing of them may act. */
export function faultList(faults: Iterable<string>): string {
  const lines: string[] = [];
  for (const fault of faults) {
    lines.push(`  ${lines.length < SHOWN ? safeLine(fault) : "and more"}`);
    if (lines.length > SHOWN) break;
  }
  return lines.join("\n");
}

/** The value as the schema has it. Throws `UsageError`: the complaint, and below it the faults as `told` has them. */
export function checkedBy<T>(schema: z.ZodType<T>, value: unknown, complaint: string, told = schemaFaults): T {
  try {
    return schema.parse(value, { error: unknownKey });
  } catch (error) {
    // Zod calls itself for each level of a value of any shape.
    const faults = error instanceof RangeError ? "  it is nested too deeply" : told(error as z.ZodError);
    throw new UsageError(`${complaint}:\n${faults}`);
  }
}

/** An unknown key with the one that was probably meant; of other faults what zod says of them. */
function unknownKey({ code, keys, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "unrecognized_keys") return undefined;
  const known = Object.keys((inst as z.ZodObject).shape);
  const each = keys.slice(0, SHOWN).map((key) => `"${key}"${didYouMean(key, known)}`);
  return `Unrecognized key: ${each.join(", ")}`;
}

export function schemaFaults({ issues }: z.ZodError): string {
  return faultList(issues.map(({ path, message }) => `${path.join(".") || "(whole file)"}: ${message}`));
}
