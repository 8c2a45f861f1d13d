/** `npm run pages`: writes the published schemas, and names those that it changed. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { profileSchema } from "../conformance/interface/gaps.ts";
import { baselineSchema } from "../conformance/report/baseline/baseline.ts";
import { reportSchema } from "../conformance/report/report.ts";
import { replaySchema } from "../conformance/story/replay-file.ts";
import { targetSchema } from "../conformance/targets/target-file.ts";
import { fixtureSchema } from "../fixtures/schema.ts";

const root = join(import.meta.dirname, "..");

/** Each file, by its path from the root, with what makes its text. */
export const pages: Readonly<Record<string, () => string>> = {
  // `input`: what a person writes, defaults left out.
  "conformance/schema/baseline.json": () => schema("baseline", baselineSchema, "input"),
  "conformance/schema/fixture.json": () => schema("fixture", fixtureSchema, "output"),
  "conformance/schema/profile.json": () => schema("profile", profileSchema, "input"),
  "conformance/schema/replay.json": () => schema("replay", replaySchema, "input"),
  "conformance/schema/report.json": () => schema("report", reportSchema, "output"),
  "conformance/schema/target.json": () => schema("target", targetSchema, "input"),
};

function schema(name: string, of: z.ZodType, io: "input" | "output"): string {
  const described = { title: `webhooks-conformance ${name}`, ...z.toJSONSchema(of, { io }) };
  return `${JSON.stringify(described, null, 2)}\n`;
}

function main(): void {
  for (const [path, make] of Object.entries(pages)) {
    const [file, text] = [join(root, path), make()];
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    writeFileSync(file, text);
    process.stdout.write(`${path} written\n`);
  }
}

if (process.argv[1] === import.meta.filename) main();
