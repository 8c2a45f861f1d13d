import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions, type Command } from "./command.ts";
import { deliverAgain, deliveryOf, deliveryOptions } from "./deliver.ts";

export const options = { earlier: { type: "string", multiple: true }, ...deliveryOptions } as const;

export const command: Command = {
  async run(args) {
    const { values, positionals } = readOptions("render", args, options, true);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError("render needs one REPORT; webhooks-conformance run --report json=FILE writes one");
    const report = await readReport(file);
    const delivery = await deliveryOf(values);
    const { earlier = [] } = values;
    if (earlier.length > 0 && !delivery.reports.some(({ kind }) => kind === "html"))
      throw new UsageError("--earlier is for --report html=FILE: no other report shows a history");
    return deliverAgain(report, delivery, await Promise.all(earlier.map(readReport)));
  },
};
