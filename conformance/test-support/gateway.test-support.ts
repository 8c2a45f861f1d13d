/** Targets that start `gateway.mjs`, and small cases to run against them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFlow } from "../interface/bodies.ts";
import type { Case } from "../harness/case.ts";
import { mustAccept } from "../harness/checks.ts";
import type { CaseResult } from "../harness/result.ts";
import { runContext, type RunOptions } from "../run/context.ts";
import { run, type RunOutcome } from "../run/run.ts";
import { readProfile } from "../interface/profile.ts";
import { inProcessTarget, launchOfHandler, type HandlerFactory } from "../targets/in-process.ts";
import { freshKeyring } from "../targets/keyring.ts";
import { checkTarget, type Target } from "../targets/target-file.ts";
import { handler } from "./handler.test-support.ts";

export const gatewayFile = join(import.meta.dirname, "gateway.mjs");

/** What a target does in place of serving, by a trick's name: a shell starts ten times faster than Node. */
const scripts: Readonly<Record<string, string>> = {
  "exit-at-start": "echo 'gateway: starting\ngateway: refusing to start' >&2; exit 3",
  "never-listens": "echo 'gateway: starting' >&2; exec sleep 120",
  chatty: `for n in 1 2 3 4 5 6 7 8 9 10; do printf '\\033[31mlane-12 has the secret %s\\n' "$WEBHOOKS_SECRET_LANE_12" >&2; done
    echo 'gateway: enough said' >&2; exit 8`,
};

/** The `start` of a target file. */
export function gatewayStart(tricks: readonly string[]) {
  const script = scripts[tricks[0] ?? ""];
  const program = script === undefined ? [process.execPath, gatewayFile] : ["sh", "-c", script, "gateway"];
  const command = [...program, "--config", "{config}", "--port", "{port}", ...tricks];
  return { command, readyTimeoutMs: 10_000, stopTimeoutMs: 300 };
}

export function gateway(tricks: readonly string[] = [], more: Record<string, unknown> = {}): Target {
  const start = { ...gatewayStart(tricks), ...(more["start"] as object) };
  const fields = { name: "test gateway", requestTimeoutMs: 5000, ...FEW_PROBES, ...more, start };
  return checkTarget(fields, ".", "the test's target");
}

const posts =
  (goal: string): Case["run"] =>
  async (trial) =>
    void mustAccept(await trial.post(createFlow(goal)));

/** The `start` of a target in this process: a busy machine may take its time for the first answer. */
export const IN_PROCESS = { command: ["in this process"], readyTimeoutMs: 60_000 };

/** So the runner spends no budget of 120 requests to learn whether addresses are told apart. */
export const FEW_PROBES = { clientAddresses: "translated" } as const;

/** A handler of the tests in this process, for what needs no process that ends. */
export const inProcess = (more: Record<string, unknown> = {}, served: HandlerFactory = handler): Target =>
  inProcessTarget(
    { name: "in process", start: IN_PROCESS, ...FEW_PROBES, ...more },
    launchOfHandler(served, "webhooks"),
  );

/** A case that `gateway.mjs` passes, unless `run` is replaced. */
export function caseOf(id: string, more: Partial<Case> = {}): Case {
  const run = posts("an ordinary goal");
  return { id, title: `case ${id}`, clauses: ["SERVICE-ROUTE"], requests: 1, run, ...more };
}

/** A case that sends this goal; some goals make `gateway.mjs` misbehave. */
export const goalCase = (id: string, goal: string, more: Partial<Case> = {}): Case =>
  caseOf(id, { run: posts(goal), ...more });

export async function judged(
  target: Target,
  cases: readonly Case[],
  more: Partial<RunOptions> = {},
): Promise<RunOutcome & { of(id: string): CaseResult }> {
  const profile = await readProfile("spec", ".");
  const outcome = await run(runContext({ target, profile, cases, keyring: freshKeyring("{name}"), ...more }));
  const of = (id: string) => {
    const result = outcome.results.find((candidate) => candidate.id === id);
    if (result === undefined) throw new Error(`no result of ${id}`);
    return result;
  };
  return { ...outcome, of };
}

/** Whether no process runs under this id; a zombie does not count as running. */
export async function isGone(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return /\) [ZX] /.test(stat);
}
