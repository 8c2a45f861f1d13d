import type { z } from "zod";
import { safeLine } from "./safe-text.ts";

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

/** The faults that a schema found. */
export function schemaFaults({ issues }: z.ZodError): string {
  return faultList(issues.map(({ path, message }) => `${path.join(".") || "(whole file)"}: ${message}`));
}
