/**
 * `npm run test:browser`: opens the pages in a real Chromium from a file, with the network off, checks them and takes
 * screenshots. `npm run test:browser -- --reports` uses the reports of the run before.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { axeFaults, filterFaults, keyboardFaults, widthFaults } from "./checks.ts";
import { axeSource, folder, launch, type Browser, type Page } from "./chromium.ts";
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

/** Pages, and the parts of them that have a screenshot of their own. */
const pages: Readonly<Record<string, readonly string[]>> = {
  green: ["cases"],
  "one-failure": ["AUTH-CLIENT-NAMED"],
  order: ["broke", "ORDER-LIMITS-AFTER", "PROPERTY-ORDER", "PROPERTY-LIMITS"],
  story: ["broke", "PROPERTY-STATES", "PROPERTY-RACES"],
  red: ["broke", "cases"],
  diff: [],
  matrix: ["cases"],
};

async function open(browser: Browser, name: string, { width, scheme }: View, faults: string[]): Promise<Page> {
  const page = await browser.newPage();
  const where = `${name}, ${width} ${scheme}`;
  page.on("console", (message: { text(): string }) => void faults.push(`${where}: console: ${message.text()}`));
  page.on("pageerror", (error: Error) => void faults.push(`${where}: error: ${error.message}`));
  page.on("request", (request: { url(): string }) => {
    if (!request.url().startsWith("file:")) faults.push(`${where}: asked for ${request.url()}`);
  });
  await page.setOfflineMode(true);
  await page.setViewport({ width, height: width < 500 ? 844 : 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(fileOf(name, "html")).href);
  return page;
}

async function lookAt(browser: Browser, name: string, axe: string): Promise<string[]> {
  const faults: string[] = [];
  for (const view of views) {
    const page = await open(browser, name, view, faults);
    const shot = (part: string) => join(shots, `${name}${part}-${view.width}-${view.scheme}.png`);
    await page.screenshot({ path: shot("") });
    faults.push(...(await widthFaults(page)).map((fault) => `${name}, ${view.width}: ${fault}`));
    for (const part of pages[name] ?? []) {
      await page.goto(`${pathToFileURL(fileOf(name, "html")).href}#${part}`);
      await page.screenshot({ path: shot(`-${part}`) });
    }
    faults.push(...(await axeFaults(page, axe)).map((fault) => `${name}, ${view.width} ${view.scheme}: ${fault}`));
    await page.close();
  }
  return faults;
}

/** What only a report's page has. */
async function useReport(browser: Browser): Promise<string[]> {
  const faults: string[] = [];
  const [view] = views;
  if (view === undefined) return faults;
  const page = await open(browser, "story", view, faults);
  faults.push(...(await keyboardFaults(page)));
  await page.screenshot({ path: join(shots, "story-filtered.png") });
  const url = pathToFileURL(fileOf("story", "html")).href;
  await page.goto(url);
  faults.push(...(await filterFaults(page)));
  await page.emulateMediaType("print");
  await page.screenshot({ path: join(shots, "story-print.png") });
  await page.close();
  const plain = await browser.newPage();
  await plain.setJavaScriptEnabled(false);
  await plain.setViewport({ width: view.width, height: 900 });
  await plain.goto(`${url}#cases`);
  await plain.screenshot({ path: join(shots, "story-without-script.png") });
  await plain.close();
  return faults;
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
  for (const name of Object.keys(pages)) {
    const { size } = statSync(fileOf(name, "html"));
    const faults = await lookAt(browser, name, axe);
    if (size > MOST_BYTES) faults.push(`${name} has ${size} bytes, more than ${MOST_BYTES}`);
    process.stdout.write(`${name.padEnd(12)} ${String(size).padStart(8)} bytes, ${faults.length} faults\n`);
    all.push(...faults);
  }
  all.push(...(await useReport(browser)));
} finally {
  await browser.close();
}
for (const fault of all) process.stdout.write(`${fault}\n`);
process.stdout.write(`${all.length} faults; screenshots are in ${shots}\n`);
process.exitCode = all.length === 0 ? 0 : 1;
