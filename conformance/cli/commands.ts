/** The commands: what each does, in a line, and where its help and its code are. Both are loaded on demand. */
import type { Command } from "./command.ts";
import { atWidth, wrap } from "../report/wrap.ts";

interface Listed {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
  /** Of a command whose help reads tables; the others have theirs in `help/words.ts`. */
  readonly help?: () => Promise<{ readonly usage: string }>;
}

export const commands: Readonly<Record<string, Listed>> = {
  run: { summary: "judge a target", load: () => import("./run.ts") },
  replay: { summary: "send the requests that once showed a fault again", load: () => import("./replay.ts") },
  merge: { summary: "judge the shards or seeds of one run as the whole run", load: () => import("./merge.ts") },
  render: { summary: "write a JSON report in other formats", load: () => import("./render.ts") },
  diff: {
    summary: "compare two JSON reports: what broke, what was fixed",
    load: async () => ({ command: (await import("./compare.ts")).diff }),
  },
  matrix: {
    summary: "show several JSON reports side by side, case by case",
    load: async () => ({ command: (await import("./compare.ts")).matrix }),
  },
  baseline: { summary: "write the list of known deviations, or check it", load: () => import("./baseline.ts") },
  doctor: {
    summary: "check a target before a run, and say what to change in its file",
    load: () => import("./doctor.ts"),
  },
  init: { summary: "write a first target file", load: () => import("./init.ts") },
  list: { summary: "list the cases", load: () => import("./list.ts") },
  explain: { summary: "say what a case judges and how its clause was read", load: () => import("./explain.ts") },
  config: {
    summary: "write the standard configuration for a target that you start yourself",
    load: () => import("./config.ts"),
  },
  profile: { summary: "learn a profile from a target", load: () => import("./profile.ts") },
  serve: {
    summary: "run a gateway with the plugin in it: a playground, or by a configuration file",
    load: () => import("./serve.ts"),
    help: () => import("./help/serve.ts"),
  },
  fixtures: {
    summary: "write request fixtures with the answers to expect, or check answers against them",
    load: () => import("./fixtures.ts"),
    help: () => import("./help/fixtures.ts"),
  },
};

/** The options and examples of one of them, as wide as the terminal where there is one. */
export async function helpOf(name: string, columns?: number): Promise<string> {
  const own = await commands[name]?.help?.();
  const words: Readonly<Record<string, string>> = own === undefined ? await import("./help/words.ts") : {};
  const help = own?.usage ?? words[name] ?? "";
  return columns === undefined ? help : reflowed(help, columns);
}

/** A line that goes on: indented below a description, or inside a paragraph. */
const CONTINUED = /\n(?: {8,}(?=\S)|(?!usage:|exit codes:|examples?\b)(?=[a-z]))/g;
/** An option and its description, or a paragraph; a line of the examples is none. */
const DESCRIBED =
  /^( {2}(?!webhooks-)(?:\S.{0,20}? {2,}|\S+ [A-Z|=]+ )|exit codes: | {4,6}(?:\w+ {2,})?|)([A-Za-z0-9{(].*)$/;

function reflowed(help: string, columns: number): string {
  const lines = help.replaceAll(CONTINUED, " ").split("\n");
  const broken = atWidth(columns, () =>
    lines.flatMap((line) => {
      const [, option, description] = DESCRIBED.exec(line) ?? [];
      return option === undefined || description === undefined ? line : wrap(description, option);
    }),
  );
  return broken.join("\n");
}
