import { entriesIn } from "../library/suite-baseline.ts";
import { cases } from "../catalogue.ts";
import { mergeReports } from "../report/merge.ts";
import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, removeOld } from "./deliver.ts";

export const options = { baseline: { type: "string" }, ...deliveryOptions } as const;

export async function command(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("merge", args, options, true);
  if (positionals.length === 0)
    throw new UsageError(
      "merge needs the JSON reports of all shards; webhooks-conformance run --shard I/N --report json=FILE writes one",
    );
  const delivery = await deliveryOf(values);
  const shards = await Promise.all(positionals.map(async (file) => ({ file, report: await readReport(file) })));
  const entries = await entriesIn(values.baseline, shards[0]?.report.profile ?? "");
  await removeOld(delivery, positionals);
  return deliver(mergeReports(shards, cases, entries), delivery);
}
