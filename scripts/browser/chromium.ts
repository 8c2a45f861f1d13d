/**
 * Finds or fetches a Chromium, and starts it. One that is installed is taken; else npm fetches one (about 60 MB) into
 * the ignored `.cache` folder, with the driver and axe. None of them is a dependency: only this test needs them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder, npm } from "../../conformance/peers/openclaw/install.ts";

/** The last versions that run on Node 20. */
const tools = ["puppeteer-core@24.8.2", "axe-core@4.10.3"];
const packaged = "@sparticuz/chromium@147.0.0";

export const folder = join(cacheFolder, "browser");

/** What the test uses of puppeteer's page. */
export interface Page {
  goto(url: string): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  setViewport(size: { width: number; height: number; deviceScaleFactor?: number }): Promise<void>;
  setOfflineMode(offline: boolean): Promise<void>;
  setJavaScriptEnabled(enabled: boolean): Promise<void>;
  emulateMediaFeatures(features: readonly { name: string; value: string }[]): Promise<void>;
  emulateMediaType(type: string): Promise<void>;
  on(event: "console" | "pageerror" | "request", listener: (event: never) => void): void;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  close(): Promise<void>;
}

export interface Browser {
  newPage(): Promise<Page>;
  version(): Promise<string>;
  close(): Promise<void>;
}

async function fetched(wanted: readonly string[]): Promise<NodeJS.Require> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "package.json");
  if (!existsSync(file)) writeFileSync(file, '{ "private": true }\n');
  const missing = wanted.filter((one) => !existsSync(join(folder, "node_modules", one.slice(0, one.lastIndexOf("@")))));
  if (missing.length > 0) {
    process.stderr.write(`npm installs ${missing.join(", ")} into ${folder}\n`);
    await npm(["install", ...missing, "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  }
  return createRequire(file);
}

/** With its whole path: the driver does not look for a name. */
function installed(): string | undefined {
  const name = ["chromium", "chromium-browser", "google-chrome"].find(
    (one) => spawnSync(one, ["--version"]).status === 0,
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return name === undefined ? undefined : folders.map((one) => join(one, name)).find((path) => existsSync(path));
}

/** The script that axe runs in a page. */
export async function axeSource(): Promise<string> {
  return (await fetched(tools))("axe-core").source as string;
}

/** The package unpacks the browser into the folder for temporary files; here that is ours. */
async function unpacked(chromium: { executablePath(): Promise<string> }): Promise<string> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
}

/** A busy machine may take minutes for axe, ms. */
const protocolTimeout = 600_000;

export async function launch(): Promise<Browser> {
  const require = await fetched(tools);
  const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")).href);
  const own = installed();
  if (own !== undefined) {
    process.stderr.write(`the browser is ${own}\n`);
    return puppeteer.launch({ executablePath: own, args: ["--no-sandbox"], protocolTimeout });
  }
  const fromNpm = await fetched([...tools, packaged]);
  const { default: chromium } = await import(pathToFileURL(fromNpm.resolve("@sparticuz/chromium")).href);
  return puppeteer.launch({
    executablePath: await unpacked(chromium),
    args: chromium.args,
    headless: "shell",
    protocolTimeout,
  });
}
