/**
 * `npm run test:browser`: opens the pages in a real Chromium from a file, with the network off, checks them and takes
 * screenshots. `npm run test:browser -- --reports` uses the reports of the run before.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { axeFaults, filterFaults, keyboardFaults, widthFaults } from "./checks.ts";
import { axeSource, folder, launch, type Browser } from "./chromium.ts";
import { fileOf, makePages, makeReports, reportNames } from "./reports.ts";

const MOST_BYTES = 1_500_000;
const shots = join(folder, "shots");

interface View {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

const views: readonly View[] = [
  { width: 1200, scheme: "light" },
  { width: 1200, scheme: "dark" },
  { width: 390, scheme: "light" },
];

const pages = [...reportNames, "diff", "matrix"];

async function lookAt(browser: Browser, name: string, { width, scheme }: View, axe: string): Promise<string[]> {
  const faults: string[] = [];
  const page = await browser.newPage();
  page.on("console", (message: { text(): string }) => void faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error: Error) => void faults.push(`error: ${error.message}`));
  page.on("request", (request: { url(): string }) => {
    if (!request.url().startsWith("file:")) faults.push(`asked for ${request.url()}`);
  });
  await page.setOfflineMode(true);
  await page.setViewport({ width, height: width < 500 ? 844 : 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(fileOf(name, "html")).href);
  await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`) });
  faults.push(...(await widthFaults(page)));
  if (name === "story") faults.push(...(await keyboardFaults(page)));
  if (reportNames.includes(name)) faults.push(...(await filterFaults(page)));
  // Last: it opens parts that fold.
  faults.push(...(await axeFaults(page, axe)));
  await page.close();
  return faults.map((fault) => `${name}, ${width} ${scheme}: ${fault}`);
}

mkdirSync(shots, { recursive: true });
const isThere = reportNames.every((name) => existsSync(fileOf(name, "json")));
if (!process.argv.includes("--reports") || !isThere) makeReports();
makePages();
const browser = await launch();
const all: string[] = [];
try {
  process.stdout.write(`${await browser.version()}\n`);
  const axe = await axeSource();
  for (const name of pages) {
    const { size } = statSync(fileOf(name, "html"));
    const faults: string[] = [];
    for (const view of views) faults.push(...(await lookAt(browser, name, view, axe)));
    if (size > MOST_BYTES) faults.push(`${name} has ${size} bytes, more than ${MOST_BYTES}`);
    process.stdout.write(`${name.padEnd(12)} ${String(size).padStart(8)} bytes, ${faults.length} faults\n`);
    all.push(...faults);
  }
} finally {
  await browser.close();
}
for (const fault of all) process.stdout.write(`${fault}\n`);
process.stdout.write(`${all.length} faults; screenshots are in ${shots}\n`);
process.exitCode = all.length === 0 ? 0 : 1;
