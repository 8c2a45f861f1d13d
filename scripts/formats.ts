/** `npm run formats`: gives each format to the tool that reads it, against `serve`. The tools are installed on demand. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { cacheFolder, npm } from "../conformance/peers/openclaw/install.ts";

/** Too large for devDependencies; these versions are known to work. */
const tools = [
  "newman@6.2.2",
  "httpyac@6.16.7",
  "har-validator@5.1.5",
  "@redocly/cli@2.77.0",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
];
const folder = join(cacheFolder, "formats");
const modules = join(folder, "node_modules");
const main = join(import.meta.dirname, "..", "dist", "conformance", "cli", "main.js");
const TOOL_TIMEOUT_MS = 600_000;

if (!existsSync(modules)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  process.stderr.write(`installing ${tools.join(", ")} into ${folder}\n`);
  await npm(["install", ...tools, "--ignore-scripts", "--no-audit", "--no-fund"], folder);
}
const work = join(folder, "run");
rmSync(work, { recursive: true, force: true });
mkdirSync(work);

const secret = randomBytes(24).toString("hex");
const otherSecret = randomBytes(24).toString("hex");
const env = { ...process.env, WEBHOOKS_SECRET: secret, WEBHOOKS_OTHER_SECRET: otherSecret };
const failures: string[] = [];

interface Run {
  readonly code: number | null;
  readonly output: string;
}

function run(program: string, args: readonly string[], more: Record<string, string> = {}): Run {
  const options = {
    cwd: work,
    env: { ...env, ...more },
    encoding: "utf8",
    timeout: TOOL_TIMEOUT_MS,
    maxBuffer: 1 << 28,
  } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  return { code: status, output: `${stdout}${stderr}${error?.message ?? ""}` };
}
const node = (script: string, ...args: string[]) => run(process.execPath, [script, ...args]);

function fixtures(format: string, file: string, ...more: string[]): string {
  const { code, output } = node(main, "fixtures", "--format", format, "--profile", "reference", "--out", file, ...more);
  if (code !== 0) throw new Error(output);
  return file;
}

/** Prints the line of a tool's output that holds its result, and notes a failure. */
function printResult(name: string, { code, output }: Run, line: RegExp): void {
  const found = stripVTControlCharacters(output).match(line)?.[0].replaceAll(/\s+/g, " ");
  const shown = found ?? output.trim().split("\n").at(-1) ?? "";
  process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} ${name.padEnd(20)} ${shown}\n`);
  if (code !== 0) failures.push(name);
}

/** A new gateway for each tool, since a gateway allows each route only one budget a minute. */
async function withGateway(use: (baseUrl: string) => void): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [main, "serve", "--config", "gateway.json", "--port", "0"], {
    cwd: work,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    let printed = "";
    const baseUrl = await new Promise<string>((resolve, reject) => {
      child.stdout?.on("data", (text) => {
        printed += String(text);
        const found = /listening on (\S+)/.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
    });
    use(baseUrl);
  } finally {
    child.kill();
  }
}

writeFileSync(
  join(work, "client.ts"),
  `import createClient from "openapi-fetch";
import type { paths } from "./interface.d.ts";
const client = createClient<paths>({ baseUrl: process.env["BASE_URL"] ?? "" });
const headers = { authorization: \`Bearer \${process.env["WEBHOOKS_SECRET"]}\` };
const { data } = await client.POST("/plugins/webhooks/demo", { headers, body: { action: "create_flow", goal: "generated" } });
const { error } = await client.POST("/plugins/webhooks/demo", { headers, body: { action: "finish_flow", flowId: "none", expectedRevision: 0 } });
// @ts-expect-error: goal is required
const { response } = await client.POST("/plugins/webhooks/demo", { headers, body: { action: "create_flow" } });
console.log(\`client: \${data?.ok} \${error?.code} \${response.status}\`);
process.exitCode = data?.ok === true && error?.code === "not_found" && response.status === 400 ? 0 : 1;
`,
);

fixtures("config", "gateway.json");

printResult(
  "HAR 1.2",
  run(process.execPath, [
    "--input-type=commonjs",
    "-e",
    `require(${JSON.stringify(join(modules, "har-validator"))}).har(JSON.parse(require("fs").readFileSync(${JSON.stringify(fixtures("har", "fixtures.har"))}))).then(() => console.log("valid"), (fault) => { console.log(JSON.stringify(fault.errors.slice(0, 3))); process.exitCode = 1; })`,
  ]),
  /^.+$/m,
);

fixtures("openapi", "openapi.json");
printResult(
  "OpenAPI 3.1, redocly",
  node(join(modules, "@redocly/cli/bin/cli.js"), "lint", "openapi.json"),
  /Your API description is valid|Validation failed.*/,
);
printResult(
  "openapi-typescript",
  node(join(modules, "openapi-typescript/bin/cli.js"), "openapi.json", "-o", "interface.d.ts"),
  /→.*/,
);
const compiler = join(import.meta.dirname, "..", "node_modules", "typescript", "bin", "tsc");
printResult(
  "client, compiled",
  node(
    compiler,
    "--ignoreConfig",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--skipLibCheck",
    "--allowImportingTsExtensions",
    "--rewriteRelativeImportExtensions",
    "--types",
    "node",
    "--typeRoots",
    join(import.meta.dirname, "..", "node_modules", "@types"),
    "client.ts",
  ),
  /.+/,
);
await withGateway((baseUrl) =>
  printResult("client, run", run(process.execPath, ["client.js"], { BASE_URL: baseUrl }), /client:.*/),
);

await withGateway((baseUrl) =>
  printResult(
    "curl, bash",
    run("bash", [fixtures("curl", "fixtures.sh")], { BASE_URL: baseUrl }),
    /\d+ answers as expected, \d+ not/,
  ),
);
printResult(
  "curl's answers, check",
  node(main, "fixtures", "check", "--fixtures", "fixtures.sh", "--answers", "answers.ndjson"),
  /\d+ as expected.*/,
);
// httpyac takes minutes for a file of a thousand requests: it gets a part of them.
await withGateway((baseUrl) =>
  printResult(
    "http, httpyac",
    run(
      process.execPath,
      [
        join(modules, "httpyac/bin/httpyac.js"),
        "send",
        fixtures("http", "fixtures.http", "--tag", "sequence", "--tag", "security"),
        "--all",
        "--output",
        "none",
      ],
      { BASE_URL: baseUrl },
    ),
    /\d+ requests processed.*/,
  ),
);
await withGateway((baseUrl) => {
  // newman takes variables from a file, so that no process list shows a secret.
  const values = Object.entries({ baseUrl, secret, otherSecret }).map(([key, value]) => ({
    key,
    value,
    enabled: true,
  }));
  writeFileSync(join(work, "environment.json"), JSON.stringify({ name: "fixtures", values }), { mode: 0o600 });
  const newman = [
    fixtures("postman", "collection.json"),
    "--environment",
    "environment.json",
    "--reporters",
    "cli,json",
    "--reporter-json-export",
    "newman.json",
  ];
  printResult("Postman, newman", node(join(modules, "newman/bin/newman.js"), "run", ...newman), /assertions[^\n]*/);
});
printResult(
  "newman's JSON, check",
  node(main, "fixtures", "check", "--fixtures", "collection.json", "--answers", "newman.json"),
  /\d+ as expected.*/,
);

fixtures("k6", "fixtures.mjs");
printResult("k6, syntax", node("--check", "fixtures.mjs"), /.+/);
if (run("k6", ["version"]).code !== 0)
  process.stdout.write("--   k6, run              there is no k6 on this machine: the script was not run\n");
else
  await withGateway((baseUrl) =>
    printResult(
      "k6, run",
      run("k6", ["run", "--quiet", "-e", `BASE_URL=${baseUrl}`, "fixtures.mjs"]),
      /checks_succeeded.*|checks.*/,
    ),
  );

// No secret of the run stays on disk.
rmSync(work, { recursive: true, force: true });
if (failures.length > 0) process.stdout.write(`not as expected: ${failures.join(", ")}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
