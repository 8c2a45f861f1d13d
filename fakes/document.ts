/** The gateway's configuration document: its shape and how it is read. Errors here are for the operator. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { codeOf, messageOf, StartError } from "./errors.ts";
import { syntaxErrorAt } from "./json-syntax.ts";

const documentSchema = z.looseObject({
  plugins: z
    .looseObject({
      entries: z
        .record(
          z.string(),
          z.looseObject({
            enabled: z.boolean().optional(),
            config: z.record(z.string(), z.unknown()).optional(),
          }),
        )
        .optional(),
    })
    .optional(),
  secrets: z
    .strictObject({
      file: z.strictObject({ dir: z.string().min(1) }).optional(),
      exec: z.strictObject({ command: z.array(z.string()).min(1) }).optional(),
      store: z.strictObject({ path: z.string().min(1) }).optional(),
    })
    .optional(),
});

export type GatewayDocument = z.infer<typeof documentSchema>;

/** Checks a parsed document. Throws StartError, which names the place; values are never quoted. */
export function checkDocument(document: unknown): GatewayDocument {
  const checked = documentSchema.safeParse(document);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue?.path.join(".") || "the document";
  throw new StartError(`The configuration is wrong at ${place}: ${issue?.message}.`);
}

/** Reads and checks a JSON file. Throws StartError when it is absent, no JSON or of another shape. */
export async function readDocument(file: string): Promise<GatewayDocument> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(
      code === "ENOENT"
        ? `There is no configuration file ${file}.`
        : `The configuration ${file} cannot be read: ${code}.`,
      { cause: error },
    );
  }
  text = text.replace(/^\uFEFF/, "");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const { line, column } = syntaxErrorAt(text);
    throw new StartError(`The configuration ${file} is not JSON: see line ${line}, column ${column}.`, {
      cause: error,
    });
  }
  try {
    return checkDocument(document);
  } catch (error) {
    throw new StartError(`${file}: ${messageOf(error)}`, { cause: error });
  }
}
