/** The gateway's configuration document: its shape and how it is read. Errors here are for the operator. */
import { readFile, stat } from "node:fs/promises";
import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import { z } from "zod";
import { codeOf, messageOf, StartError } from "./errors.ts";

/** Deeper documents are refused: functions that walk one are recursive. */
const mostLevels = 1000;

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

/** Checks a parsed document. Throws StartError, which names the place and never quotes a value. */
export function checkDocument(document: unknown): GatewayDocument {
  const checked = documentSchema.safeParse(document);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue?.path.join(".") || "the document";
  throw new StartError(`The configuration is wrong at ${place}: ${issue?.message}.`);
}

const childrenOf = (value: unknown) => (typeof value === "object" && value !== null ? Object.values(value) : []);

/** Reads and checks a JSON file. Throws StartError when the file is absent, not JSON or of another shape. */
export async function readDocument(file: string): Promise<GatewayDocument> {
  const found = await stat(file).catch(() => undefined);
  // Reading a pipe could wait for ever.
  if (found?.isFile() === false) throw new StartError(`The configuration ${file} is no regular file.`);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT") throw new StartError(`There is no configuration file ${file}.`, { cause });
    throw new StartError(`The configuration ${file} cannot be read: ${code}.`, { cause });
  }
  text = text.replace(/^\uFEFF/, "");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new StartError(`The configuration ${file} is not JSON: ${syntaxError(text)}.`, { cause });
  }
  try {
    let level: unknown[] = [document];
    for (let depth = 0; level.length > 0; depth += 1, level = level.flatMap(childrenOf))
      if (depth > mostLevels) throw new StartError(`it is nested deeper than ${mostLevels} levels`);
    return checkDocument(document);
  } catch (cause) {
    throw new StartError(`${file}: ${messageOf(cause)}`, { cause });
  }
}

/** `comma expected at line 1, column 4`. JSON.parse does not always give the place, and may quote a secret. */
export function syntaxError(text: string): string {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return "nested too deeply to be read"; // the parser is recursive
  }
  const { error, offset } = errors[0] ?? { error: 1, offset: 0 };
  const words = printParseErrorCode(error).replaceAll(/(?!^)([A-Z])/g, " $1");
  const before = text.slice(0, offset).split("\n");
  return `${words.toLowerCase()} at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
