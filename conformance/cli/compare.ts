/** `diff` and `matrix`: one comparison, of two reports by what changed, or of several by the sections of the interface. */
import { compareReports, type By, type Comparison } from "../report/comparison.ts";
import { renderComparison } from "../report/comparisons.ts";
import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT, readOptions } from "./command.ts";
import { deliverText, mustBeWritable } from "./deliver.ts";

export const diffOptions = { html: { type: "string" } } as const;
export const matrixOptions = {
  html: { type: "string" },
  markdown: { type: "string" },
  differences: { type: "boolean" },
} as const;

/** Reports that one comparison takes: a table of more columns cannot be read. */
const MOST = 12;

export async function diff(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("diff", args, diffOptions, true);
  if (positionals.length !== 2)
    throw new UsageError("diff needs two JSON reports: webhooks-conformance diff BEFORE.json AFTER.json");
  const { groups } = await compare(positionals, "change", values);
  return groups.some(({ rows }) => rows.some(({ change }) => change === "broken")) ? EXIT.notConformant : EXIT.ok;
}

export async function matrix(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("matrix", args, matrixOptions, true);
  if (positionals.length < 2 || positionals.length > MOST)
    throw new UsageError(
      `matrix needs 2 to ${MOST} JSON reports: webhooks-conformance matrix ONE.json OTHER.json [--html FILE]`,
    );
  await compare(positionals, "section", values);
  return EXIT.ok;
}

type Outputs = ReturnType<typeof readOptions<typeof matrixOptions>>["values"];

async function compare(names: readonly string[], by: By, { differences, ...files }: Outputs): Promise<Comparison> {
  const wanted = Object.entries(files) as ["html" | "markdown", string][];
  for (const [format, file] of wanted) await mustBeWritable(file, `--${format} ${file}`);
  const comparison = compareReports(await Promise.all(names.map(readReport)), by, differences);
  for (const [format, file] of wanted) await deliverText(renderComparison(format, comparison), file);
  await deliverText(renderComparison("console", comparison), undefined);
  return comparison;
}
