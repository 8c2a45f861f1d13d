import { examine } from "../doctor/examine.ts";
import type { Remark } from "../doctor/checks.ts";
import { runCommand } from "../report/again.ts";
import { wrap } from "../report/wrap.ts";
import { durationInWords } from "../foundation/duration.ts";
import { EXIT, readOptions } from "./command.ts";
import { ENDINGS } from "../foundation/endings.ts";
import { exitCodeOf } from "./interrupt.ts";
import { print, program, tell } from "./print.ts";
import { givenTarget, targetOptions } from "./target.ts";

const words = { ok: "ok", note: "note", wrong: "WRONG" } as const satisfies Record<Remark["level"], string>;
const LABEL = 16;

export async function command(args: string[]): Promise<number> {
  const { values } = readOptions("doctor", args, targetOptions);
  const { target, allowHosts, subject } = await givenTarget("doctor", values);
  tell(`looks at the target; waits up to ${durationInWords(target.requestTimeoutMs)} for each answer\n`);
  for (const signal of ENDINGS) process.on(signal, interrupted);
  const ready = await examine(target, printRemark).finally(() => {
    for (const signal of ENDINGS) process.off(signal, interrupted);
  });
  const next = runCommand({ subject, allowHosts, program: program() });
  if (ready) print(`ready: ${next}\n`);
  else print(`not ready: fix what is marked WRONG, then: ${next.replace(/ run (?=--)/, " doctor ")}\n`);
  return ready ? EXIT.ok : EXIT.unreachable;
}

/** The target is a child of this process, and is stopped when this process exits. */
const interrupted = (signal: NodeJS.Signals) => process.exit(exitCodeOf(signal));

function printRemark(check: string, { level, text, write }: Remark): void {
  const lines = wrap(text, `${words[level].padEnd(6)}${check}`.padEnd(LABEL), LABEL);
  if (write !== undefined) lines.push(`${" ".repeat(LABEL)}write ${write}`);
  print(`${lines.join("\n")}\n`);
}
