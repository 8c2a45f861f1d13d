import type { Command } from "./command.ts";

export const command: Command = {
  async run(args) {
    const isPlayground = args.some((word) => /^--(route|secret-env)(=|$)/.test(word));
    const code = isPlayground
      ? await (await import("../../fakes/mocks/playground.ts")).runPlayground(args)
      : await (await import("../../fakes/serve.ts")).runServe(args);
    // Timers of a hosted plugin must not keep the process alive.
    process.exit(code);
  },
};
