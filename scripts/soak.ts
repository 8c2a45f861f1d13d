/**
 * A soak test of the properties: millions of requests against the kit's own plugin, without sockets, on all cores. Fails
 * when a property blames the plugin; prints rates and memory, which must stay level. Usage: soak.ts [--requests N] [--minutes M]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readProfile } from "../conformance/interface/profile.ts";
import { directExecutors } from "../conformance/properties/play/direct-executor.ts";
import { properties } from "../conformance/properties/index.ts";
import { search } from "../conformance/properties/search.ts";
import { directSubject } from "../conformance/proof/direct.ts";
import { wholeNumber } from "./options.ts";
import { inWorkers, workOff } from "./workers.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    minutes: { type: "string" },
    worker: { type: "boolean", default: false },
  },
});
const count = availableParallelism();
const requests = wholeNumber("--requests", values.requests);
const minutes = values.minutes === undefined ? undefined : wholeNumber("--minutes", values.minutes);

/** At each tenth of a process's share. */
interface Point {
  readonly requests: number;
  readonly seconds: number;
  readonly heapMb: number;
  readonly rssMb: number;
}
const POINTS = 10;

/** Seeds `first`, `first + count`, ... until the process's share of the requests, or of the time, is used up. */
async function soaked(first: string): Promise<Point[] | string> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const profile = await readProfile("reference", ".");
  const stateDir = mkdtempSync(join(tmpdir(), "webhooks-soak-"));
  const options = { product: "service", stateDir, timeoutMs: 20_000, log: () => {} };
  const points: Point[] = [];
  const started = performance.now();
  let sent = 0;
  const done = () => (minutes ? (performance.now() - started) / 60_000 / minutes : (sent * count) / requests);
  for (let seed = Number(first); done() < 1; seed += count) {
    for (const property of properties) {
      const searched = await search(property, {
        profile,
        executor: directExecutors(directSubject({}), options),
        depth: { seed },
      });
      sent += searched.requests;
      if (searched.found === undefined) continue;
      const { expected, actual } = searched.found.first.departure;
      return `${property.id}, seed ${seed}, run ${searched.found.run}: expected ${expected}, got ${actual}`;
    }
    if (done() * POINTS < points.length + 1) continue;
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const seconds = (performance.now() - started) / 1000;
    points.push({ requests: sent, seconds, heapMb: heapUsed / 2 ** 20, rssMb: rss / 2 ** 20 });
  }
  rmSync(stateDir, { recursive: true });
  return points;
}

const row = (cells: readonly (string | number)[]) =>
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(11)).join("")}\n`);

async function main(): Promise<void> {
  const jobs = Array.from({ length: count }, (_, index) => ({ id: String(index + 1) }));
  const args = [...process.argv.slice(2), "--worker"];
  row(["process", "requests", "seconds", "requests/s", "heap MB", "RSS MB"]);
  await inWorkers<Point[] | string>(fileURLToPath(import.meta.url), args, jobs, 1, ({ id }, points) => {
    if (typeof points === "string") {
      process.stdout.write(`FAULT ${points}\n`);
      process.exitCode = 1;
      return;
    }
    for (const { requests, seconds, heapMb, rssMb } of points)
      row([id, requests, seconds.toFixed(1), Math.round(requests / seconds), heapMb.toFixed(1), rssMb.toFixed(0)]);
  });
}

await (values.worker ? workOff(soaked) : main());
