/**
 * Finds or fetches a Chromium, and starts it. One that is installed is taken; else npm fetches one (about 60 MB) into
 * the ignored `.cache` folder, as it fetches the driver and axe. None is a dependency: only this test needs them.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder, installed } from "../../conformance/peers/openclaw/install.ts";

export const folder = join(cacheFolder, "browser");

/** What the test uses of puppeteer's page. */
export interface Page {
  goto(url: string): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  screenshot(options: { path: string }): Promise<unknown>;
  setViewport(size: { width: number; height: number }): Promise<void>;
  setOfflineMode(offline: boolean): Promise<void>;
  emulateMediaFeatures(features: readonly { name: string; value: string }[]): Promise<void>;
  on(event: "console" | "pageerror" | "request", listener: (event: never) => void): void;
  keyboard: { press(key: string): Promise<void> };
  close(): Promise<void>;
}

export interface Browser {
  newPage(): Promise<Page>;
  version(): Promise<string>;
  close(): Promise<void>;
}

const fetched = async (name: string, ...packages: readonly string[]): Promise<NodeJS.Require> =>
  createRequire(join(await installed(name, ...packages), "package.json"));

/** The last versions that run on Node 20. */
const tools = () => fetched("browser-tools", "puppeteer-core@24.8.2", "axe-core@4.10.3");

/** With its whole path: the driver does not look for a name. */
function onThisMachine(): string | undefined {
  const name = ["chromium", "chromium-browser", "google-chrome"].find(
    (one) => spawnSync(one, ["--version"]).status === 0,
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return name === undefined ? undefined : folders.map((one) => join(one, name)).find((path) => existsSync(path));
}

/** The script that axe runs in a page. */
export async function axeSource(): Promise<string> {
  return (await tools())("axe-core").source as string;
}

/** A busy machine may take minutes for axe, ms. */
const protocolTimeout = 600_000;

export async function launch(): Promise<Browser> {
  const require = await tools();
  const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")).href);
  const own = onThisMachine();
  if (own !== undefined) {
    process.stderr.write(`the browser is ${own}\n`);
    return puppeteer.launch({ executablePath: own, args: ["--no-sandbox"], protocolTimeout });
  }
  const packaged = await fetched("browser-chromium", "@sparticuz/chromium@147.0.0");
  const { default: chromium } = await import(pathToFileURL(packaged.resolve("@sparticuz/chromium")).href);
  // The package unpacks the browser into the folder for temporary files: that is ours from now on.
  process.env["TMPDIR"] = folder;
  return puppeteer.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: "shell",
    protocolTimeout,
  });
}
