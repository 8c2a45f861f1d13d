/** What a run costs the runner's process, beside the least that as many requests over as many connections cost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "../../conformance/report/report.ts";
import { served } from "../served.ts";
import type { Bench } from "./measure.ts";

const SECRET = "correct-horse-battery-staple";
const MAIN = "dist/conformance/cli/main.js";
const RUN = [MAIN, "run", "--target", "conformance/examples/embedded.json"];

/** Runs a program to its end: its processor time and the time that passed, s, and the connections that it has made. */
async function metered(...args: readonly string[]) {
  const began = performance.now();
  const child = spawn(process.execPath, ["--import", "./scripts/bench/meter.mjs", ...args], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const [[{ user, system, connections }], [code]] = await Promise.all([once(child, "message"), once(child, "exit")]);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return { cpu: (user + system) / 1e6, seconds: (performance.now() - began) / 1000, connections: Number(connections) };
}

/** The run, and as many requests by the floor's program over as many connections: processor time and time in all, s. */
async function besideFloor(folder: string, ...options: readonly string[]) {
  const [config, file] = [join(folder, "config.json"), join(folder, "report.json")];
  const run = await metered(...RUN, ...options, "--report", `json=${file}`);
  const { results } = JSON.parse(await readFile(file, "utf8")) as Report;
  const requests = results.reduce((sum, one) => sum + one.requests, 0);
  const routes = { r0: { sessionKey: "bench", secret: SECRET } };
  await writeFile(config, JSON.stringify({ plugins: { entries: { webhooks: { config: { routes } } } } }));
  const server = await served(process.execPath, [MAIN, "serve", "--config", config, "--port", "0"]);
  const sent = [server.baseUrl, SECRET, `${requests}`, `${run.connections}`];
  const floor = await metered("scripts/bench/floor.mjs", ...sent);
  await server.stop();
  return { cpu: { floor: floor.cpu, run: run.cpu }, all: { floor: floor.seconds, run: run.seconds } };
}

export const suite: Bench = {
  about:
    "Seconds of a run against the embedded gateway; in a quick one its clock is driven, in a whole one a few cases wait " +
    'for the real one. "floor": a program that sends as many requests by undici over as many connections, and parses ' +
    "each answer.",
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
    const quick = await besideFloor(folder, "--quick");
    const whole = await besideFloor(folder);
    await rm(folder, { recursive: true });
    return {
      "quick: processor time of the runner": quick.cpu,
      "quick: time in all": quick.all,
      "whole: processor time of the runner": whole.cpu,
      "whole: time in all": whole.all,
    };
  },
};
