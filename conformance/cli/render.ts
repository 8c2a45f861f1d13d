import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions, type Command } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";

export const options = { report: { type: "string" }, ...deliveryOptions } as const;

export const command: Command = {
  summary: "write a JSON report in another format",
  usage: `usage: webhooks-conformance render --report FILE [options]
  --report FILE        what run --format json or merge --format json wrote
${deliveryUsage}
The exit code is 0, whatever the verdict of the report.`,
  async run(args) {
    const { values } = readOptions("render", args, options);
    if (values.report === undefined)
      throw new UsageError("render needs --report FILE; webhooks-conformance run --format json --out FILE writes one");
    const report = await readReport(values.report);
    await deliver(report, await deliveryOf(values));
    return 0;
  },
};
