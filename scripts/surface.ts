/**
 * What a user of the package relies on: subpaths and the names that they export, commands with their options, the
 * fields of the published schemas. `tsx scripts/surface.ts [FOLDER]` prints it, of the built package here or of an
 * unpacked one in FOLDER; surface.test.ts compares it with surface.json.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");

const started = promisify(execFile);

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

interface Surface {
  /** By subpath: the exported names, types among them. */
  readonly exports: Readonly<Record<string, readonly string[]>>;
  /** By command: the options that its help names. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** By schema: the paths of its fields; `[]` stands for each item of a list, `*` for any key. */
  readonly schemas: Readonly<Record<string, readonly string[]>>;
}

/** The surface of the package in `folder`. Throws where it is not built. */
export async function surfaceOf(folder: string): Promise<Surface> {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const subpaths = Object.entries(manifest.exports).map(([subpath, entry]): [string, string[]] => [
    subpath,
    typeof entry === "string" ? [] : namesIn(readFileSync(join(folder, entry.types), "utf8")),
  ]);
  const schemaFolder = join(folder, schemaPattern(manifest), "..");
  const schemas = readdirSync(schemaFolder).map((file): [string, string[]] => {
    const schema = JSON.parse(readFileSync(join(schemaFolder, file), "utf8")) as Schema;
    return [basename(file, ".json"), [...new Set(fieldsOf(schema, schema, ""))].toSorted()];
  });
  return {
    exports: Object.fromEntries(subpaths),
    commands: await commandsOf(join(folder, Object.values(manifest.bin)[0] ?? "")),
    schemas: Object.fromEntries(schemas),
  };
}

/** Where the schemas are: `./conformance/schema/*.json`. */
function schemaPattern({ exports }: Manifest): string {
  const pattern = exports["./schema/*.json"];
  return typeof pattern === "string" ? pattern : "";
}

/** The names that a declaration file exports. */
function namesIn(text: string): string[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gms)].flatMap(([, names = ""]) => names.split(","));
  const listed = lists.map((name) => name.replace(/^\s*type /, "").trim()).filter((name) => name !== "");
  const declared = text.matchAll(/^export (?:declare )?(?:function|const|class|interface|type) (\w+)/gm);
  const own = /^export default/m.test(text) ? ["default"] : [];
  return [...new Set([...listed, ...[...declared].map(([, name = ""]) => name), ...own])].toSorted();
}

async function commandsOf(main: string): Promise<Record<string, string[]>> {
  const helpOf = async (...words: string[]) => (await started(process.execPath, [main, "help", ...words])).stdout;
  const names = [...(await helpOf()).matchAll(/^ {2}([a-z]+) +\w/gm)].map(([, name = ""]) => name);
  const options = names.map(async (name): Promise<[string, string[]]> => {
    return [name, [...new Set((await helpOf(name)).match(/--[a-z-]+/g))].toSorted()];
  });
  return Object.fromEntries(await Promise.all(options));
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A schema nests at most this deep; a definition may hold itself. */
const DEEPEST = 12;

function fieldsOf(schema: Schema, whole: Schema, path: string): string[] {
  if (path.split(/[.[]/).length > DEEPEST) return [];
  const { properties = {}, required = [], items, additionalProperties, $ref } = schema;
  const referred = $ref === undefined ? undefined : whole.$defs?.[$ref.replace("#/$defs/", "")];
  const parts = [referred, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const at = path === "" ? name : `${path}.${name}`;
      return [required.includes(name) ? at : `${at}?`, ...fieldsOf(field, whole, at)];
    }),
    ...(items === undefined ? [] : fieldsOf(items, whole, `${path}[]`)),
    ...(typeof additionalProperties === "object" ? fieldsOf(additionalProperties, whole, `${path}.*`) : []),
    ...parts.flatMap((part) => (part === undefined ? [] : fieldsOf(part, whole, path))),
  ];
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(`${JSON.stringify(await surfaceOf(process.argv[2] ?? root), undefined, 2)}\n`);
}
