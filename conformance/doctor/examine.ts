/** Checks a target before it is judged, and reports each remark as it comes. */
import { printable } from "../http/exchange.ts";
import { redactor } from "../http/redact.ts";
import { secretsOf } from "../targets/configuration.ts";
import { keyringFor } from "../targets/keyring.ts";
import { StartError } from "../foundation/start-error.ts";
import type { Target } from "../targets/target-file.ts";
import { checksOfFile, checksOfTarget, type Check, type Remark } from "./checks.ts";
import { visit } from "./visit.ts";

export type Tell = (check: string, remark: Remark) => void;

const STDERR_LINES = 5;

/** True when the target is ready to be judged. The remarks are redacted. Throws `UsageError`. */
export async function examine(target: Target, told: Tell): Promise<boolean> {
  const keyring = await keyringFor(target);
  const redact = redactor(secretsOf(keyring));
  const tell: Tell = (check, remark) => told(check, { ...remark, text: redact(remark.text) });
  let ready = true;
  const lookAll = async <About>(checks: readonly Check<About>[], about: About) => {
    for (const { name, look } of checks) {
      for (const remark of await look(about)) {
        tell(name, remark);
        ready &&= remark.level !== "wrong";
      }
    }
  };
  await lookAll(checksOfFile, target);
  try {
    await visit(target, keyring, (about) => lookAll(checksOfTarget, about));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    tell("start", failedStart(target, error));
    return false;
  }
  return ready;
}

function failedStart(target: Target, { message, stderrTail, exited }: StartError): Remark {
  const tail = stderrTail
    .trimEnd()
    .split("\n")
    .slice(-STDERR_LINES)
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
