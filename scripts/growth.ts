/**
 * How a run's time grows: shares of the suite against the embedded gateway on the driven clock, first with answers at
 * once, then with every action taking 50 ms longer. The properties stand apart: their requests follow one another.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Case } from "../conformance/harness/case.ts";
import { cases } from "../conformance/catalogue.ts";
import { withStage } from "../conformance/proof/changes.ts";
import { judgeSubject } from "../conformance/proof/judge-subject.ts";
import type { Change } from "../conformance/proof/subject.ts";

const SLOW_MS = 50;

const late: Change = withStage("action", ({ run }) => async (exchange) => {
  await sleep(SLOW_MS);
  return run(exchange);
});

const isProperty = ({ id }: Case) => id.startsWith("PROPERTY-");
const examples = cases.filter((item) => !isProperty(item));
/** Every so many of them: the same share of each part. */
const share = (of: number) => examples.filter((_, index) => index % of === 0);

const rows: readonly (readonly [string, readonly Case[]])[] = [
  ["an eighth", share(8)],
  ["a quarter", share(4)],
  ["half", share(2)],
  ["all but the properties", examples],
  ["the properties", cases.filter(isProperty)],
  ["all", cases],
];

async function main(): Promise<void> {
  process.stdout.write(`${"cases".padEnd(30)} requests  at once (s)  after ${SLOW_MS} ms (s)\n`);
  for (const [name, chosen] of rows) {
    const cells: string[] = [];
    let requests = 0;
    for (const change of [{}, late]) {
      const { results, ms } = await judgeSubject("growth", change, "reference", chosen);
      const red = results.filter(({ outcome }) => outcome !== "pass" && outcome !== "not-applicable");
      if (red.length > 0)
        throw new Error(`not all passed: ${red.map(({ id, reason }) => `${id}: ${reason}`).join("; ")}`);
      requests = results.reduce((sum, result) => sum + result.requests, 0);
      cells.push((ms / 1000).toFixed(1));
    }
    const [atOnce = "", afterwards = ""] = cells;
    const what = `${String(chosen.length).padStart(3)} ${name}`.padEnd(30);
    process.stdout.write(`${what} ${String(requests).padStart(8)} ${atOnce.padStart(12)} ${afterwards.padStart(16)}\n`);
  }
}

await main();
