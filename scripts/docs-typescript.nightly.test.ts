/** TypeScript of a user, and the pages' as a reader pastes it: it compiles under `strict` against the built types. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test } from "../conformance/test-support/consumer.test-support.ts";

const root = join(import.meta.dirname, "..");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];

/** A folder for each page, so that two pages may use one name. */
const programs = pages
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^ *```(?:ts|typescript)\b *(\S*)\n(.*?)^ *```$/gms)].map(
      ([, name, text = ""], index) => ({
        file: join(page.replace(/\W/g, "-"), name === "" || name === undefined ? `${index}.ts` : name),
        text,
      }),
    ),
  );

/** What a user may do with the package. */
const program = `
  import * as node from "node:test";
  import * as vitest from "vitest";
  import { registerConformance, runConformance, type HandlerFactory, type TargetInput } from "webhooks-conformance";
  import type { GatewayPlugin } from "webhooks-conformance/gateway";
  import plugin from "webhooks-conformance/plugin";

  const handler: HandlerFactory = ({ config, env }) => (request, response) =>
    response.end([request.url, env["HOME"], Object.keys(config.routes)].join());
  const targets: TargetInput[] = [
    "target.json",
    { name: "started", start: { command: ["node", "server.mjs"] } },
    { name: "running", baseUrl: "http://127.0.0.1:8080" },
    { name: "handler", handler },
    { plugin: "./plugin.js" },
    { plugin: "webhooks-conformance/plugin", name: "hosted", profile: "reference" },
  ];
  plugin satisfies GatewayPlugin;
  for (const target of targets) {
    const { report, verdict } = await runConformance(target, { onResult: ({ done, total }) => done / total });
    const exitCode: 0 | 1 | 4 | 129 | 130 | 131 | 143 = verdict.exitCode;
    const titles: string[] = report.results.map(({ title }) => title);
    process.exitCode = exitCode + titles.length;
    await registerConformance({ target, test: vitest.test, describe: vitest.describe });
    await registerConformance({ target, test: node.test, describe: node.describe, quick: true });
  }
  // @ts-expect-error: a target says how it comes up
  await runConformance({ name: "nothing", handler: "no function" });
`;

test("a user's program and each block of TypeScript in the docs, as pasted, compile", async ({ consumer: folder }) => {
  expect(programs.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["docs-LIBRARY-md/handler.ts", "docs-MAINTAINERS-md/plugin.ts"]),
  );
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const { file, text } of programs) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  await writeFile(join(folder, "program.ts"), program);
  const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2023"];
  const files = programs.map(({ file }) => file);
  const { code, output } = await node(folder, tsc, ...options, "--types", "node", "program.ts", ...files);
  expect(output).toBe("");
  expect(code).toBe(0);
});
