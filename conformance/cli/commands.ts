/** The commands: what each does, in a line, and where its help and its code are. Both are loaded on demand. */
import type { Command } from "./command.ts";

interface Listed {
  readonly summary: string;
  readonly help: () => Promise<{ readonly usage: string }>;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const commands: Readonly<Record<string, Listed>> = {
  run: {
    summary: "judge a target",
    help: () => import("./help/run.ts"),
    load: () => import("./run.ts"),
  },
  replay: {
    summary: "send the requests that once showed a fault again",
    help: () => import("./help/replay.ts"),
    load: () => import("./replay.ts"),
  },
  merge: {
    summary: "judge the shards or seeds of one run as the whole run",
    help: () => import("./help/merge.ts"),
    load: () => import("./merge.ts"),
  },
  render: {
    summary: "write a JSON report in other formats",
    help: () => import("./help/render.ts"),
    load: () => import("./render.ts"),
  },
  diff: {
    summary: "compare two JSON reports: what broke, what was fixed",
    help: () => import("./help/diff.ts"),
    load: async () => ({ command: (await import("./compare.ts")).diff }),
  },
  matrix: {
    summary: "show several JSON reports side by side, case by case",
    help: () => import("./help/matrix.ts"),
    load: async () => ({ command: (await import("./compare.ts")).matrix }),
  },
  baseline: {
    summary: "write the list of known deviations, or check it",
    help: () => import("./help/baseline.ts"),
    load: () => import("./baseline.ts"),
  },
  doctor: {
    summary: "check a target before a run, and say what to change in its file",
    help: () => import("./help/doctor.ts"),
    load: () => import("./doctor.ts"),
  },
  init: {
    summary: "write a first target file, by options or by asking",
    help: () => import("./help/init.ts"),
    load: () => import("./init.ts"),
  },
  list: {
    summary: "list the cases",
    help: () => import("./help/list.ts"),
    load: () => import("./list.ts"),
  },
  explain: {
    summary: "say what a case judges and how its clause was read",
    help: () => import("./help/explain.ts"),
    load: () => import("./explain.ts"),
  },
  config: {
    summary: "write the standard configuration for a target that you start yourself",
    help: () => import("./help/config.ts"),
    load: () => import("./config.ts"),
  },
  profile: {
    summary: "learn a profile from a target",
    help: () => import("./help/profile.ts"),
    load: () => import("./profile.ts"),
  },
  serve: {
    summary: "run a gateway with the plugin in it: a playground, or by a configuration file",
    help: () => import("./help/serve.ts"),
    load: () => import("./serve.ts"),
  },
  fixtures: {
    summary: "write request fixtures with the answers to expect, or check answers against them",
    help: () => import("./help/fixtures.ts"),
    load: () => import("./fixtures.ts"),
  },
};
