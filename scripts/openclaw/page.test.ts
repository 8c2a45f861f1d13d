import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cases } from "../../conformance/cases/index.ts";
import { readBaseline } from "../../conformance/baseline/read.ts";
import { departures } from "./departures.ts";
import { findingsSchema } from "./findings.ts";
import { renderPage } from "./page.ts";

const peers = join(import.meta.dirname, "..", "..", "conformance", "peers");
const known = new Set(cases.map(({ id }) => id));

test("the page says what the findings say", async () => {
  const findings = findingsSchema.parse(JSON.parse(await readFile(join(peers, "openclaw.findings.json"), "utf8")));
  expect(await readFile(join(peers, "openclaw.md"), "utf8"), "npm run openclaw:survey writes it").toBe(
    await renderPage(findings),
  );
});

test("every departure names cases that exist", () => {
  expect(departures.flatMap((departure) => departure.cases).filter((id) => !known.has(id))).toEqual([]);
});

test("the baseline knows only cases that exist, each a departure from what the interface states", async () => {
  const file = join(peers, "openclaw.baseline.json");
  const { entries } = await readBaseline(file, { caseIds: [...known], profile: "openclaw" });
  const stated = departures.filter(({ against }) => against === "stated").flatMap((departure) => departure.cases);
  expect(entries.map((entry) => entry.case).filter((id) => !stated.includes(id))).toEqual([]);
});
