import { UsageError } from "../foundation/usage-error.ts";
import { diffReports } from "../report/diff.ts";
import { renderDiff } from "../report/comparisons.ts";
import { readReport } from "../report/read.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { deliverText, mustBeWritable } from "./deliver.ts";

export const options = { html: { type: "string" } } as const;

export const command: Command = {
  async run(args) {
    const { values, positionals } = readOptions("diff", args, options, true);
    const [first, second] = positionals;
    if (first === undefined || second === undefined || positionals.length > 2)
      throw new UsageError("diff needs two JSON reports: webhooks-conformance diff BEFORE.json AFTER.json");
    if (values.html !== undefined) await mustBeWritable(values.html, `--html ${values.html}`);
    const [before, after] = [await readReport(first), await readReport(second)];
    const diff = diffReports(before, after);
    if (values.html !== undefined) await deliverText(renderDiff("html", before, after), values.html);
    await deliverText(renderDiff("console", before, after), undefined);
    return diff.changes.broken.length > 0 ? EXIT.notConformant : EXIT.ok;
  },
};
