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

/** Each outcome of the filter shows as many cases as it says, on the screen as in its line; text that no case has, none; and back. */
export function filterFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const [outcome, , text] = document.querySelectorAll(".filter select, .filter input");
    const all = document.querySelectorAll("details.case").length;
    const seen = (field, value) => {
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      const shown = [...document.querySelectorAll("details.case")].filter((one) => one.checkVisibility()).length;
      const said = document.querySelector(".filter [role=status]").textContent;
      return said === shown + " of " + all + " cases" ? shown : shown + ", said: " + said;
    };
    const faults = [...outcome.options].slice(1).flatMap(({ value, text: label }) => {
      const shown = seen(outcome, value);
      return String(shown) === label.split(" ")[0] ? [] : ["the filter shows " + shown + " of " + label];
    });
    if (seen(text, "no case has this text") !== 0) faults.push("the filter shows cases without its text");
    document.querySelector(".filter button").click();
    const hidden = document.querySelectorAll(".case[hidden], .group[hidden]").length;
    return hidden === 0 ? faults : [...faults, "Show all leaves " + hidden + " parts hidden"];
  })()`);
}
