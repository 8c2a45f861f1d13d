/** What a page must do in a browser: load nothing, break no policy, and be usable by keyboard and by axe's rules. */
import type { Page } from "./chromium.ts";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** So many of the folded parts are opened: a page has hundreds alike, and axe looks at every text. */
const OPENED = 60;

/** Opens parts that fold, spread over the page, then asks axe; a line for each violation. */
export async function axeFaults(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(`(() => {
    const all = [...document.querySelectorAll("details")];
    const step = Math.max(1, Math.ceil(all.length / ${OPENED}));
    all.forEach((one, index) => { one.open = index < 10 || index % step === 0; });
  })()`);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `${axe};axe.run({ resultTypes: ["violations"] }).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(({ id, nodes }) => {
    return `axe: ${id} at ${nodes.length} places, such as ${nodes[0]?.html.slice(0, 200)}: ${nodes[0]?.failureSummary}`;
  });
}

/** Nothing is wider than the screen but what scrolls by itself. */
export async function widthFaults(page: Page): Promise<string[]> {
  const [width, room] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  return width > room ? [`the page is ${width} wide, the screen ${room}`] : [];
}

/** By keys alone: Tab from the top, then a case opened by Enter. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const focused = () => page.evaluate<string>("document.activeElement.tagName");
  await page.keyboard.press("Tab");
  if (!(await page.evaluate<boolean>("document.activeElement.matches('a.skip')")))
    faults.push("Tab first meets no skip link");
  for (let presses = 0; (await focused()) !== "SUMMARY"; presses += 1) {
    if (presses > 60) return [...faults, "no case can be reached with Tab"];
    await page.keyboard.press("Tab");
  }
  const isOpen = "document.activeElement.parentElement.open";
  const before = await page.evaluate<boolean>(isOpen);
  await page.keyboard.press("Enter");
  if ((await page.evaluate<boolean>(isOpen)) === before) faults.push("Enter does not open a case");
  return faults;
}
