/**
 * `npm run bench -- [NAME ...] [--write]`: measures on this machine, all or those named. Each figure is compared with
 * another of the same run. --write measures all and writes docs/FIGURES.md, the one page with measured figures.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { refuse } from "../options.ts";
import type { Figure, Measure } from "./measure.ts";
import { mocks } from "./mocks.ts";
import { plugin } from "./plugin.ts";
import { suite } from "./suite.ts";

const measures: Readonly<Record<string, Measure>> = { plugin, suite, mocks };

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(measures, name));
if (unknown !== undefined) refuse(`there is no measure "${unknown}", expected: ${Object.keys(measures).join(", ")}`);
if (values.write && positionals.length > 0) refuse("--write writes a page of all measures: leave the names out");

const digits = (value: number): string => (value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString("en"));

/** Cells of one figure: what, value, ratio, and what it is a ratio to. */
function cellsOf({ what, value, unit, against }: Figure, all: readonly Figure[]): [string, string, string, string] {
  const other = all.find((figure) => figure.what === against);
  const shown = `${digits(value)} ${unit}`;
  return other === undefined || other.what === what
    ? [what, shown, "", ""]
    : [what, shown, (value / other.value).toFixed(2), other.what];
}

const head = ["figure", "value", "ratio", "of"];

function markdownOf(rows: readonly (readonly string[])[]): string {
  const table = [head, ["---", "---:", "---:", "---"], ...rows];
  return table.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const load = loadavg()[0] ?? 0;
const sections: string[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(measures)) {
  const { about, measure } = measures[name] as Measure;
  const figures = await measure();
  const rows = figures.map((figure) => cellsOf(figure, figures));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  for (const cells of [head, ...rows]) {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${name.padEnd(11)} ${padded.join("  ")}\n`);
  }
  sections.push(`## ${name}\n\n${about}\n\n${markdownOf(rows)}`);
}

if (values.write) {
  const page = [
    "# Measured figures",
    "The only page with figures that a machine measured. Compare the ratios: each is against a figure of the same run.",
    "```sh\nnpm run bench                     # all measures\nnpm run bench -- suite mocks      # some of them\nnpm run bench -- --write          # all, and this page\n```",
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model.trim() ?? "unknown processor"}, ` +
      `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.version}, load average ${load.toFixed(1)} before the first measure.`,
    ...sections,
  ].join("\n\n");
  const text = await format(page, { parser: "markdown", printWidth: 120, proseWrap: "always" });
  writeFileSync(join(import.meta.dirname, "..", "..", "docs", "FIGURES.md"), text);
}
