/**
 * `npm run bench -- [NAME ...] [--write]`: measures on this machine, all or those named. Each figure is compared with
 * another of the same run. --write measures all and writes docs/FIGURES.md, the one page with measured figures.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { format } from "prettier";
import { flag, given, refuse } from "../options.ts";
import type { Bench } from "./measure.ts";
import { plugin } from "./plugin.ts";
import { suite } from "./suite.ts";

const measures: Readonly<Record<string, Bench>> = { plugin, suite };

const { values, positionals } = given({ write: flag, help: flag }, true);
if (values.help) {
  process.stdout.write(`npm run bench -- [${Object.keys(measures).join(" | ")} ...] [--write]\n`);
  process.exit();
}
const unknown = positionals.find((name) => !Object.hasOwn(measures, name));
if (unknown !== undefined) refuse(`there is no measure "${unknown}", expected: ${Object.keys(measures).join(", ")}`);
if (values.write && positionals.length > 0) refuse("--write writes a page of all measures: leave the names out");

const digits = (value: number): string => (value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString("en"));

/** The value, and in brackets its ratio to the first of its row. */
function cellOf(value: number | undefined, first: number): string {
  if (value === undefined) return "-";
  return value === first ? digits(value) : `${digits(value)} (${(value / first).toFixed(2)})`;
}

function tableOf(rows: Awaited<ReturnType<Bench["measure"]>>): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
  const cells = Object.entries(rows).map(([about, row]) => {
    const [first = 0] = Object.values(row);
    return [about, ...columns.map((column) => cellOf(row[column], first))];
  });
  const rule = ["---", ...columns.map(() => "---:")];
  return [["", ...columns], rule, ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

const markdown = (text: string) => format(text, { parser: "markdown", printWidth: 120, proseWrap: "always" });

const load = loadavg()[0] ?? 0;
const sections: string[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(measures)) {
  const { about, measure } = measures[name] as Bench;
  const section = `## ${name}\n\n${about}\n\n${tableOf(await measure())}`;
  process.stdout.write(`${await markdown(section)}\n`);
  sections.push(section);
}

if (values.write) {
  const page = [
    "# Measured figures",
    "The only page with figures that a machine measured. Compare the ratios, in brackets: each is to the first figure of its row.",
    "```sh\nnpm run bench                     # all measures\nnpm run bench -- suite            # one of them\nnpm run bench -- --write          # all, and this page\n```",
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model.trim() ?? "unknown processor"}, ` +
      `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.version}, load average ${load.toFixed(1)} before the first measure.`,
    ...sections,
  ].join("\n\n");
  writeFileSync(join(import.meta.dirname, "..", "..", "docs", "FIGURES.md"), await markdown(page));
}
