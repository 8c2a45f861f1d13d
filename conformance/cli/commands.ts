/** The commands: what each does, in a line, and where its help and its code are. Both are loaded on demand. */
import type { Command } from "./command.ts";

interface Listed {
  readonly summary: string;
  readonly help: () => Promise<string>;
  readonly load: () => Promise<{ readonly command: Command }>;
}

const words = () => import("./help/words.ts");

export const commands: Readonly<Record<string, Listed>> = {
  run: {
    summary: "judge a target",
    help: async () => (await words()).run,
    load: () => import("./run.ts"),
  },
  replay: {
    summary: "send the requests that once showed a fault again",
    help: async () => (await words()).replay,
    load: () => import("./replay.ts"),
  },
  merge: {
    summary: "judge the shards or seeds of one run as the whole run",
    help: async () => (await words()).merge,
    load: () => import("./merge.ts"),
  },
  render: {
    summary: "write a JSON report in other formats",
    help: async () => (await words()).render,
    load: () => import("./render.ts"),
  },
  diff: {
    summary: "compare two JSON reports: what broke, what was fixed",
    help: async () => (await words()).diff,
    load: async () => ({ command: (await import("./compare.ts")).diff }),
  },
  matrix: {
    summary: "show several JSON reports side by side, case by case",
    help: async () => (await words()).matrix,
    load: async () => ({ command: (await import("./compare.ts")).matrix }),
  },
  baseline: {
    summary: "write the list of known deviations, or check it",
    help: async () => (await words()).baseline,
    load: () => import("./baseline.ts"),
  },
  doctor: {
    summary: "check a target before a run, and say what to change in its file",
    help: async () => (await words()).doctor,
    load: () => import("./doctor.ts"),
  },
  init: {
    summary: "write a first target file, by options or by asking",
    help: async () => (await words()).init,
    load: () => import("./init.ts"),
  },
  list: {
    summary: "list the cases",
    help: async () => (await words()).list,
    load: () => import("./list.ts"),
  },
  explain: {
    summary: "say what a case judges and how its clause was read",
    help: async () => (await words()).explain,
    load: () => import("./explain.ts"),
  },
  config: {
    summary: "write the standard configuration for a target that you start yourself",
    help: async () => (await words()).config,
    load: () => import("./config.ts"),
  },
  profile: {
    summary: "learn a profile from a target",
    help: async () => (await words()).profile,
    load: () => import("./profile.ts"),
  },
  serve: {
    summary: "run a gateway with the plugin in it: a playground, or by a configuration file",
    help: async () => (await import("./help/serve.ts")).usage,
    load: () => import("./serve.ts"),
  },
  fixtures: {
    summary: "write request fixtures with the answers to expect, or check answers against them",
    help: async () => (await import("./help/fixtures.ts")).usage,
    load: () => import("./fixtures.ts"),
  },
};
