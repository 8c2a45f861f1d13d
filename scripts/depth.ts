/**
 * How fast and how deep the properties look. Usage: depth.ts [--requests N] [--minutes M] [--sockets N]
 * Handler level on all cores (or for some minutes), socket level beside undici alone on the same target, memory.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { validRequest } from "../fixtures/request.ts";
import { readProfile } from "../conformance/interface/profile.ts";
import { directExecutors } from "../conformance/properties/play/direct-executor.ts";
import { properties } from "../conformance/properties/index.ts";
import { keys } from "../conformance/properties/definitions/key-limits.ts";
import { search } from "../conformance/properties/search.ts";
import { directSubject } from "../conformance/proof/direct.ts";
import { besideUndici } from "./undici-alone.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    minutes: { type: "string" },
    sockets: { type: "string", default: "12000" },
    worker: { type: "string" },
  },
});

/** What a worker tells at each tenth of its share, and at the end. */
interface Point {
  readonly requests: number;
  readonly ms: number;
  /** CPU time of the whole process, ms. */
  readonly cpuMs: number;
  readonly heapMb: number;
  readonly rssMb: number;
}

const log = (text: string) => void process.stderr.write(`${text}\n`);
/** Thousands of answers to its other keys are looked at by nobody: they would make the figures look better. */
const judging = properties.filter((property) => property !== keys);
const POINTS = 10;
const ALONE = 20_000;

/** Looks at seeds `first`, `first + step`, ... until its share of requests, or of time, is used up. */
async function work(first: number, step: number, tell: (point: Point) => void): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const profile = await readProfile("reference", ".");
  const stateDir = mkdtempSync(join(tmpdir(), "webhooks-depth-"));
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  let requests = 0;
  const share = Number(values.requests) / step;
  const forMs = values.minutes === undefined ? undefined : Number(values.minutes) * 60_000;
  const done = () => (forMs === undefined ? requests / share : Math.min(1, (performance.now() - started) / forMs));
  const point = () => {
    collect();
    const { user, system } = process.cpuUsage(cpu);
    const { heapUsed, rss } = process.memoryUsage();
    const ms = performance.now() - started;
    tell({ requests, ms, cpuMs: (user + system) / 1000, heapMb: heapUsed / 2 ** 20, rssMb: rss / 2 ** 20 });
  };
  let next = 1;
  for (let seed = first; done() < 1; seed += step) {
    for (const property of judging) {
      const executor = directExecutors(directSubject({}), { product: "service", stateDir, timeoutMs: 20_000, log });
      const searched = await search(property, { profile, executor, depth: { seed } });
      requests += searched.requests;
      if (searched.found === undefined) continue;
      const { expected, actual } = searched.found.first.departure;
      throw new Error(`${property.id}, seed ${seed}, run ${searched.found.run}: expected ${expected}, got ${actual}`);
    }
    const reached = Math.floor(done() * POINTS);
    if (reached >= next) point();
    next = Math.max(next, reached + 1);
  }
  rmSync(stateDir, { recursive: true });
}

/** What the handler costs by itself, called the same way with the cheapest request. */
async function handlerAlone(): Promise<void> {
  const options = { product: "service", stateDir: tmpdir(), timeoutMs: 20_000, log: () => {} };
  const { send, routes } = await directExecutors(directSubject({}), options)();
  const request = validRequest(routes.route, { action: "find_latest_flow" });
  // The second time it is compiled.
  for (const round of [1, 2]) {
    const cpu = process.cpuUsage();
    for (let sent = 0; sent < ALONE; sent += 1) await send(request, round * ALONE + Math.floor(sent / 100));
    if (round === 1) continue;
    const { user, system } = process.cpuUsage(cpu);
    const rate = Math.round(ALONE / ((user + system) / 1e6));
    process.stdout.write(`the handler alone, one read again and again: ${rate} requests per CPU second\n`);
  }
}

/** One process for each core. */
async function handlerLevel(): Promise<void> {
  const count = availableParallelism();
  const points: Point[][] = Array.from({ length: count }, () => []);
  const children = points.map((own, index) => {
    const args = [...process.argv.slice(2), "--worker", `${index + 1}/${count}`];
    const child = fork(fileURLToPath(import.meta.url), args);
    child.on("message", (point) => own.push(point as Point));
    return child;
  });
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0] as number));
  if (codes.some((code) => code !== 0)) throw new Error("a worker found a fault in the kit's own plugin, or failed");
  process.stdout.write(`handler level: ${count} processes, every answer judged, read-backs included\n`);
  process.stdout.write("  process   requests    seconds  CPU seconds  requests/s  per CPU second  heap MB   RSS MB\n");
  for (const [index, own] of points.entries()) {
    for (const { requests, ms, cpuMs, heapMb, rssMb } of own) {
      const rates = [(requests / ms) * 1000, (requests / cpuMs) * 1000].map(Math.round);
      const cells = [index + 1, requests, (ms / 1000).toFixed(1), (cpuMs / 1000).toFixed(1), ...rates];
      const widths = [9, 11, 11, 13, 12, 16, 9, 9];
      const row = [...cells, heapMb.toFixed(1), rssMb.toFixed(0)].map((cell, at) =>
        String(cell).padStart(widths[at] ?? 0),
      );
      process.stdout.write(`${row.join("")}\n`);
    }
  }
  const last = points.map((own) => own.at(-1));
  const requests = last.reduce((sum, point) => sum + (point?.requests ?? 0), 0);
  const ms = Math.max(...last.map((point) => point?.ms ?? 0));
  process.stdout.write(
    `  together ${requests} requests in ${(ms / 1000).toFixed(1)} s: ${Math.round((requests / ms) * 1000)} requests/s\n`,
  );
}

const [, index, count] = /^(\d+)\/(\d+)$/.exec(values.worker ?? "") ?? [];
if (index !== undefined && count !== undefined) {
  await work(Number(index), Number(count), (point) => process.send?.(point));
  process.disconnect();
} else {
  await handlerLevel();
  await handlerAlone();
  process.stdout.write(await besideUndici(Number(values.sockets)));
}
