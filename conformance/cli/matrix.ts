import { UsageError } from "../foundation/usage-error.ts";
import { renderMatrix } from "../report/comparisons.ts";
import { readReport } from "../report/read.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { deliverText, mustBeWritable } from "./deliver.ts";

export const options = { html: { type: "string" }, differences: { type: "boolean" } } as const;

/** More columns are no table that one can read. */
const MOST = 12;

export const command: Command = {
  summary: "show several JSON reports side by side, case by case",
  usage: `usage: webhooks-conformance matrix REPORT REPORT... [options]
Takes the JSON reports of several targets, or of several versions of one, and prints
how many cases of each section passed, and the cases that some report did not pass.
  --differences        only cases that do not end alike in all reports
  --html FILE          write a page there, beside the text on standard output
exit codes: 0, whatever the verdicts of the reports; 2 usage`,
  async run(args) {
    const { values, positionals } = readOptions("matrix", args, options, true);
    if (positionals.length < 2 || positionals.length > MOST)
      throw new UsageError(
        `matrix needs 2 to ${MOST} JSON reports: webhooks-conformance matrix ONE.json OTHER.json [--html FILE]`,
      );
    if (values.html !== undefined) await mustBeWritable(values.html, `--html ${values.html}`);
    const reports = await Promise.all(positionals.map(readReport));
    const { differences = false } = values;
    if (values.html !== undefined) await deliverText(renderMatrix("html", reports, differences), values.html);
    await deliverText(renderMatrix("console", reports, differences), undefined);
    return EXIT.ok;
  },
};
