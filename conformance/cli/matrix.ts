import { UsageError } from "../foundation/usage-error.ts";
import { renderMatrix } from "../report/comparisons.ts";
import { readReport } from "../report/read.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { deliverText, mustBeWritable } from "./deliver.ts";

export const options = { html: { type: "string" }, differences: { type: "boolean" } } as const;

/** More columns are no table that one can read. */
const MOST = 12;

export const command: Command = {
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
