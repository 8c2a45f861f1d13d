/** Checks a target before it is judged, and reports each remark as it comes. */
import { cases } from "../catalogue.ts";
import { StartError } from "../foundation/start-error.ts";
import { lastLinesOf } from "../foundation/tail.ts";
import { printable } from "../http/exchange.ts";
import { runContext } from "../run/context.ts";
import { Watch } from "../run/watch.ts";
import { Host } from "../run/host.ts";
import { Budget } from "../run/budget.ts";
import { capabilitiesOf, clocksOf, planOf } from "../run/plan.ts";
import { readProfile } from "../interface/profile.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import type { Target } from "../targets/target-file.ts";
import { checksOfTarget, placeholders, Unanswered, type Remark, type Visit } from "./checks.ts";

type Tell = (check: string, remark: Remark) => void;

const STDERR_LINES = 5;

/** True when the target is ready to be judged. The remarks are redacted. Throws `UsageError`. */
export async function examine(target: Target, told: Tell): Promise<boolean> {
  const profile = await readProfile(target.profile, target.folder);
  const context = runContext({ target, profile, cases, keyring: await keyringFor(target) });
  let ready = true;
  const tell: Tell = (check, remark) => {
    ready &&= remark.level !== "wrong";
    told(check, { ...remark, text: context.redact(remark.text) });
  };
  for (const remark of placeholders(target)) tell("file", remark);
  const lookAll = async (visit: Visit) => {
    for (const [name, look] of Object.entries(checksOfTarget)) {
      try {
        for (const remark of await look(visit)) tell(name, remark);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        return tell(name, { level: "wrong", text: error.message });
      }
    }
  };
  const asked = clocksOf(target, cases, false);
  const budget = new Budget(target);
  const parts = { context, watch: new Watch([]), budget, variant: "standard" } as const;
  const host = new Host({ ...parts, ...(asked && { clock: "real" }) });
  try {
    const server = await host.ensureRunning();
    const { startMs } = host;
    const { facts } = server;
    const capabilities = capabilitiesOf(server);
    const clocks = asked ?? (facts.driven ? "driven" : "real");
    const plan = planOf(cases, { capabilities, profile, quick: false, clocks });
    await lookAll({ server, target, facts, capabilities, plan, startMs, silence: { unanswered: 0 } });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    tell("start", failedStart(target, error));
  } finally {
    await host.close();
  }
  return ready;
}

function failedStart(target: Target, { message, stderrTail, exited }: StartError): Remark {
  const tail = lastLinesOf(stderrTail, STDERR_LINES)
    .map((line) => printable(line))
    .join(" | ");
  const text = tail === "" ? message : `${message}. Its output, last lines: ${tail}`;
  const write = fixFor(target, message, exited);
  return { level: "wrong", text, ...(write && { write }) };
}

function fixFor(target: Target, message: string, exited: boolean): string | undefined {
  if (message.includes("control port")) return `"control": "http://127.0.0.1:{controlPort}" (or leave it out)`;
  if (target.start === undefined) return `"baseUrl": "http://127.0.0.1:<the port on which it listens>"`;
  if (message.includes("could not be run")) return `"start": { "command": ["<program>", ...], "cwd": "<its folder>" }`;
  if (exited) return undefined;
  return `"start": { "readyTimeoutMs": ${target.start.readyTimeoutMs * 2} } (if it is only slow; it must listen on 127.0.0.1:{port})`;
}
