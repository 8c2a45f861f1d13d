import { renderWithHistory } from "../report/comparisons.ts";
import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions, type Command } from "./command.ts";
import { deliver, deliverText, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";

export const options = {
  report: { type: "string" },
  earlier: { type: "string", multiple: true },
  ...deliveryOptions,
} as const;

export const command: Command = {
  summary: "write a JSON report in another format",
  usage: `usage: webhooks-conformance render --report FILE [options]
  --report FILE        what run --format json or merge --format json wrote
  --earlier FILE       with --format html: a report from before, for the history of
                       each case; may be repeated
${deliveryUsage}
The exit code is 0, whatever the verdict of the report.`,
  async run(args) {
    const { values } = readOptions("render", args, options);
    if (values.report === undefined)
      throw new UsageError("render needs --report FILE; webhooks-conformance run --format json --out FILE writes one");
    const report = await readReport(values.report);
    const delivery = await deliveryOf(values);
    const { earlier = [] } = values;
    if (earlier.length > 0 && delivery.format !== "html")
      throw new UsageError(`--earlier is for --format html: ${delivery.format} shows no history`);
    if (earlier.length === 0) await deliver(report, delivery);
    else await deliverText(renderWithHistory(report, await Promise.all(earlier.map(readReport))), delivery.out);
    return 0;
  },
};
