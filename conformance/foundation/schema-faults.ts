import type { z } from "zod";
import { safeLine } from "./safe-text.ts";

/** One line for each fault that a schema found: names and values in it are those of the file, so nothing of them may act. */
export function schemaFaults({ issues }: z.ZodError): string[] {
  return issues.map(({ path, message }) => `  ${safeLine(`${path.join(".") || "(whole file)"}: ${message}`)}`);
}
