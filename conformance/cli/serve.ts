import { safeLine, withoutCommands } from "../foundation/safe-text.ts";
import { redactor, type Secret } from "../http/redact.ts";
import { readOptions } from "./command.ts";
import { hasColour } from "./print.ts";

/** Texts as the playground's log shows them: as in a report, no secret is in them, and nothing of them acts. */
export function shownFor(secrets: readonly Secret[]): (text: string) => string {
  const redact = redactor(secrets);
  return (text) => withoutCommands(safeLine(redact(text)));
}

export async function command(args: string[]): Promise<number> {
  const { flags, runServe } = await import("../../fakes/serve.ts");
  const { playgroundFlags } = await import("../../fakes/mocks/playground-flags.ts");
  readOptions("serve", args, { ...flags, ...playgroundFlags });
  const has = (names: RegExp) => args.some((word) => names.test(word));
  const isPlayground = has(/^--(route|secret-env)(=|$)/) && !has(/^--plugin(=|$)/);
  const code = isPlayground
    ? await (await import("../../fakes/mocks/playground.ts")).runPlayground(args, shownFor, hasColour(process.stderr))
    : await runServe(args);
  // Timers of a hosted plugin must not keep the process alive.
  process.exit(code);
}
