/** `npm run requests`: fails where a whole run against the embedded gateway with a driven clock sends too many requests. */
import { runConformance } from "../conformance/library/index.ts";

/** The most requests of a whole run. */
const MOST = 16_000;

const { report, verdict } = await runConformance("conformance/examples/embedded.json");
const total = report.results.reduce((sum, { requests }) => sum + requests, 0);
process.stdout.write(`${report.results.length} cases, ${total} requests of at most ${MOST}: ${verdict.judgement}\n`);
process.exitCode = verdict.exitCode === 0 && total <= MOST ? 0 : 1;
