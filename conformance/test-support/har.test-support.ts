/** The schemas that readers of HAR 1.2 go by. */
import { Ajv } from "ajv";
import { createRequire } from "node:module";

/** The package has no types, and its schemas are of an older draft than Ajv takes by itself. */
const schemas = createRequire(import.meta.url)("har-schema") as Readonly<
  Record<string, { $id: string; $schema: string }>
>;
const ajv = new Ajv({ strict: false, validateFormats: false });
for (const schema of Object.values(schemas)) {
  const { $schema: _, ...rest } = schema;
  ajv.addSchema(rest);
}
const isHar = ajv.getSchema("har.json#");

/** What is wrong with an archive; empty for a valid one. */
export const harFaults = (archive: unknown): unknown =>
  isHar?.(JSON.parse(JSON.stringify(archive))) === true ? [] : isHar?.errors;
