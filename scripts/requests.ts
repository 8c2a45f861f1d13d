/**
 * `npm run requests`: a whole run against the embedded gateway with a driven clock. Fails where it sends more requests than
 * a run may, or a case more than `list` says of it. `--update` writes what each case sent into request-counts.ts.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { requestCounts } from "../conformance/cli/request-counts.ts";
import { runConformance } from "../conformance/library/index.ts";

const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
const file = new URL("../conformance/cli/request-counts.ts", import.meta.url);

/** The most requests of a whole run. */
const MOST = 16_000;
/** A target that is slow for a moment is asked again. */
const most = (count: number): number => count + Math.max(8, count / 20);

const { report } = await runConformance("conformance/examples/embedded.json");
const sent = report.results.map(({ id, requests }) => [id, requests] as const);
const total = sent.reduce((sum, [, requests]) => sum + requests, 0);
const over = sent.filter(([id, requests]) => requests > most(requestCounts[id] ?? 0));

if (values.update) {
  const lines = sent.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, requests]) => `  "${id}": ${requests},\n`);
  writeFileSync(
    file,
    "/* oxlint-disable max-lines -- A line for each case. */\n" +
      "/** Requests that each case sends in a run with a driven clock; `npm run requests -- --update` writes this file. */\n" +
      `export const requestCounts: Readonly<Record<string, number>> = {\n${lines.join("")}};\n`,
  );
} else for (const [id, requests] of over) process.stdout.write(`${id}: ${requests}, not ${requestCounts[id] ?? 0}\n`);
process.stdout.write(`${sent.length} cases, ${total} requests of ${MOST}: ${report.verdict.judgement}\n`);
const isRight = report.verdict.exitCode === 0 && total <= MOST && (values.update || over.length === 0);
process.exitCode = isRight ? 0 : 1;
