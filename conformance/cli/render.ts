import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions } from "./command.ts";
import { deliverAgain, deliveryOf, deliveryOptions } from "./deliver.ts";

export const options = deliveryOptions;

export async function command(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("render", args, options, true);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("render needs one REPORT; webhooks-conformance run --report json=FILE writes one");
  return deliverAgain(await readReport(file), await deliveryOf(values));
}
