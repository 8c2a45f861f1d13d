/** Writes the published JSON Schemas from the schemas that the suite itself checks with. */
import { mkdirSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { baselineSchema } from "../conformance/report/baseline/baseline.ts";
import { profileSchema } from "../conformance/interface/gaps.ts";
import { replaySchema } from "../conformance/story/replay-file.ts";
import { reportSchema } from "../conformance/report/report.ts";
import { targetSchema } from "../conformance/targets/target-file.ts";
import { fixtureSchema } from "../fixtures/schema.ts";

/** File name and text of each schema. `input`: what a person writes, defaults left out. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const schemas = {
    target: targetSchema,
    profile: profileSchema,
    baseline: baselineSchema,
    replay: replaySchema,
    report: reportSchema,
    fixture: fixtureSchema,
  };
  return new Map(
    Object.entries(schemas).map(([name, schema]) => {
      const io = name === "report" || name === "fixture" ? "output" : "input";
      const text = JSON.stringify(
        { title: `webhooks-conformance ${name}`, ...z.toJSONSchema(schema, { io }) },
        null,
        2,
      );
      return [`${name}.json`, `${text}\n`];
    }),
  );
}

if (process.argv[1] === import.meta.filename) {
  const folder = new URL("../conformance/schema/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of schemaFiles()) writeFileSync(new URL(name, folder), text);
  process.stdout.write("schema: written\n");
}
