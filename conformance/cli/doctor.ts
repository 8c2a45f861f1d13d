import { examine } from "../doctor/examine.ts";
import type { Finding } from "../doctor/checks.ts";
import { runCommand } from "../report/again.ts";
import { wrap } from "../report/wrap.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { ENDINGS } from "./interrupt.ts";
import { readAllowedTarget, targetOptions } from "./target.ts";

const words = { ok: "ok", note: "note", wrong: "WRONG" } as const satisfies Record<Finding["level"], string>;
const LABEL = 16;

export const command: Command = {
  summary: "look at a target before it is judged, and say what to write",
  usage: `usage: webhooks-conformance doctor --target FILE [options]
Starts the target once and looks: does it answer, are the routes there, which
secret header lets in, are client addresses told apart, is a limit or a proxy
in the way, what can be judged, how long a run will take.
  --allow-host HOST  let a target listen on another host than this machine
exit codes: 0 ready, 2 usage, 3 not started, not reached or not to be judged
            like this, 130 interrupted`,

  async run(args) {
    const { values } = readOptions("doctor", args, targetOptions);
    if (values.target === undefined) throw new UsageError("doctor needs --target FILE (init writes one)");
    const allowHosts = values["allow-host"];
    const target = await readAllowedTarget(values.target, allowHosts);
    const ready = await exitingOnSignal(() =>
      examine(target, (check, finding) => process.stdout.write(linesOf(check, finding))),
    );
    const next = runCommand({ target: values.target, allowHosts });
    process.stdout.write(ready ? `ready: ${next}\n` : "not ready: mend what is marked WRONG\n");
    return ready ? EXIT.ok : EXIT.unreachable;
  },
};

/** The target is stopped at the exit of this process, however that comes. */
const interrupted = () => process.exit(EXIT.interrupted);

async function exitingOnSignal<T>(work: () => Promise<T>): Promise<T> {
  for (const signal of ENDINGS) process.once(signal, interrupted);
  try {
    return await work();
  } finally {
    for (const signal of ENDINGS) process.off(signal, interrupted);
  }
}

function linesOf(check: string, { level, text, write }: Finding): string {
  const lines = wrap(text, `${words[level].padEnd(6)}${check}`.padEnd(LABEL), LABEL);
  if (write !== undefined) lines.push(`${" ".repeat(LABEL)}write ${write}`);
  return `${lines.join("\n")}\n`;
}
