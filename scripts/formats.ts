/** `npm run formats`: gives each format to the tool that reads it, against `serve`. The tools are installed on demand. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { installed } from "../conformance/peers/openclaw/install.ts";
import { served } from "./served.ts";

/** Too large for devDependencies; these versions are known to work. */
const tools = ["newman@6.2.2", "httpyac@6.16.7", "har-to-k6@0.14.16", "@redocly/cli@2.77.0"];
const folder = await installed("formats-3", ...tools);
const work = join(folder, "run");
const root = join(import.meta.dirname, "..");
const main = join(root, "dist", "conformance", "cli", "main.js");
const module = (path: string): string => join(folder, "node_modules", path);
const TOOL_TIMEOUT_MS = 600_000;

const k6OfHar = `require(${JSON.stringify(module("har-to-k6"))}).liHARToK6Script(require("./fixtures.har.json")).then(
  ({ main }) => console.log(main.length + " characters of k6"),
  (fault) => { console.log(fault.message); process.exitCode = 1; })`;
const newman =
  "run collection.json --environment environment.json --reporters cli,json --reporter-json-export newman.json";

interface Row {
  readonly name: string;
  /** The format, its file, and more options of `fixtures`. */
  readonly made?: readonly string[];
  /** What node runs, or `program`. */
  readonly args: readonly string[];
  readonly program?: string;
  /** A new gateway, since one allows each route only one budget a minute. Its URL is in BASE_URL. */
  readonly needsGateway?: true;
  /** The line of the output that holds the result. */
  readonly line: RegExp;
}

const rows: readonly Row[] = [
  {
    name: "HAR, har-to-k6",
    made: ["har", "fixtures.har.json"],
    args: ["--input-type=commonjs", "-e", k6OfHar],
    line: /\d+ characters.*|Post text.*/,
  },
  {
    name: "OpenAPI 3.1, redocly",
    made: ["openapi", "openapi.json"],
    args: [module("@redocly/cli/bin/cli.js"), "lint", "openapi.json"],
    line: /Your API description is valid|Validation failed.*/,
  },
  {
    name: "curl, bash",
    made: ["curl", "fixtures.sh"],
    program: "bash",
    args: ["fixtures.sh"],
    needsGateway: true,
    line: /\d+ answers as expected, \d+ not/,
  },
  {
    name: "curl's answers, check",
    args: [main, "fixtures", "check", "--fixtures", "fixtures.sh", "--answers", "answers.ndjson"],
    line: /\d+ as expected.*/,
  },
  {
    name: "http, httpyac",
    // It takes minutes for a file of a thousand requests.
    made: ["http", "fixtures.http", "--tag", "sequence", "--tag", "security"],
    args: [module("httpyac/bin/httpyac.js"), "send", "fixtures.http", "--all", "--output", "none"],
    needsGateway: true,
    line: /\d+ requests processed.*/,
  },
  {
    name: "Postman, newman",
    made: ["postman", "collection.json"],
    args: [module("newman/bin/newman.js"), ...newman.split(" ")],
    needsGateway: true,
    line: /assertions[^\n]*/,
  },
  {
    name: "newman's JSON, check",
    args: [main, "fixtures", "check", "--fixtures", "collection.json", "--answers", "newman.json"],
    line: /\d+ as expected.*/,
  },
  { name: "k6, syntax", made: ["k6", "fixtures.mjs"], args: ["--check", "fixtures.mjs"], line: /.+/ },
  {
    name: "k6, run",
    program: "k6",
    args: ["run", "--quiet", "fixtures.mjs"],
    needsGateway: true,
    line: /checks_succeeded.*|checks.*/,
  },
];

const [secret, otherSecret] = [randomBytes(24).toString("hex"), randomBytes(24).toString("hex")];
const env = { ...process.env, WEBHOOKS_SECRET: secret, WEBHOOKS_OTHER_SECRET: otherSecret };

function run(program: string, args: readonly string[], baseUrl = "") {
  const options = { cwd: work, encoding: "utf8", timeout: TOOL_TIMEOUT_MS, maxBuffer: 1 << 28 } as const;
  return spawnSync(program, args, { ...options, env: { ...env, BASE_URL: baseUrl } });
}

function write(format: string, file: string, ...more: string[]): void {
  const args = ["fixtures", "--format", format, "--profile", "reference", "--out", file, ...more];
  const { status, stderr } = run(process.execPath, [main, ...args]);
  if (status !== 0) throw new Error(stderr);
}

async function inGateway<T>(use: (baseUrl: string) => T): Promise<T> {
  const args = [main, "serve", "--config", "gateway.json", "--port", "0"];
  const { baseUrl, stop } = await served(process.execPath, args, { cwd: work, env });
  // newman takes variables from a file, so that no process list shows a secret.
  const values = Object.entries({ baseUrl, secret, otherSecret }).map(([key, value]) => ({ key, value }));
  writeFileSync(join(work, "environment.json"), JSON.stringify({ name: "fixtures", values }), { mode: 0o600 });
  try {
    return use(baseUrl);
  } finally {
    await stop();
  }
}

/** Prints the line with the result; returns whether the tool is content. */
async function isRight({ name, made, args, program = process.execPath, needsGateway, line }: Row): Promise<boolean> {
  if (made !== undefined) write(...(made as [string, string]));
  const use = (baseUrl?: string) => run(program, args, baseUrl);
  const { status, stdout, stderr, error } = needsGateway ? await inGateway(use) : use();
  const isAbsent = program === "k6" && error !== undefined;
  const output = `${stdout}${stderr}${error?.message ?? ""}`;
  const found = stripVTControlCharacters(output).match(line)?.[0].replaceAll(/\s+/g, " ");
  const shown = isAbsent ? "is not installed: not run" : (found ?? output.trim().split("\n").at(-1) ?? "");
  process.stdout.write(`${isAbsent ? "--  " : status === 0 ? "ok  " : "FAIL"} ${name.padEnd(20)} ${shown}\n`);
  return isAbsent || status === 0;
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work);
write("config", "gateway.json");
const failed: string[] = [];
for (const row of rows) if (!(await isRight(row))) failed.push(row.name);
// No secret of the run stays on disk.
rmSync(work, { recursive: true, force: true });
if (failed.length > 0) process.stdout.write(`not as expected: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
