import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test } from "../test-support/consumer.test-support.ts";

const tsc = join(import.meta.dirname, "..", "..", "node_modules", "typescript", "bin", "tsc");
const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--types", "node"];

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

test("a user's TypeScript compiles against the built types", async ({ consumer: folder }) => {
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "program.ts"), program);
  const { code, output } = await node(folder, tsc, ...strict, "--skipLibCheck", "program.ts");
  expect(output).toBe("");
  expect(code).toBe(0);
});

test("a TypeScript target file works where Node strips types, and is refused in one line where not", async ({
  consumer: folder,
}) => {
  const target =
    "export default { name: 'typed' as string, profile: 'no-such-profile', baseUrl: 'http://127.0.0.1:1' };";
  await writeFile(join(folder, "target.mts"), target);
  const main = "node_modules/webhooks-conformance/dist/conformance/cli/main.js";
  const { code, output } = await node(folder, main, "run", "--target", "target.mts");
  const strips = Boolean((process.features as { typescript?: unknown }).typescript);
  expect(output).toContain(strips ? 'there is no profile "no-such-profile"' : "target.mts is TypeScript, which Node");
  expect(output.trimEnd().split("\n")).toHaveLength(1);
  expect(code).toBe(2);
});
