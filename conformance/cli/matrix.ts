import { UsageError } from "../foundation/usage-error.ts";
import { renderMatrix } from "../report/comparisons.ts";
import { readReport } from "../report/read.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { deliverText, mustBeWritable } from "./deliver.ts";

export const options = {
  html: { type: "string" },
  markdown: { type: "string" },
  differences: { type: "boolean" },
} as const;

/** The forms that go to a file, each by the option of its name. */
const files = ["html", "markdown"] as const;

/** More columns are no table that one can read. */
const MOST = 12;

export const command: Command = {
  async run(args) {
    const { values, positionals } = readOptions("matrix", args, options, true);
    if (positionals.length < 2 || positionals.length > MOST)
      throw new UsageError(
        `matrix needs 2 to ${MOST} JSON reports: webhooks-conformance matrix ONE.json OTHER.json [--html FILE]`,
      );
    const wanted = files.flatMap((format) => {
      const file = values[format];
      return file === undefined ? [] : [{ format, file }];
    });
    for (const { format, file } of wanted) await mustBeWritable(file, `--${format} ${file}`);
    const reports = await Promise.all(positionals.map(readReport));
    const { differences = false } = values;
    for (const { format, file } of wanted) await deliverText(renderMatrix(format, reports, differences), file);
    await deliverText(renderMatrix("console", reports, differences), undefined);
    return EXIT.ok;
  },
};
