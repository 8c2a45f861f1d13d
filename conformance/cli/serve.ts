import type { Command } from "./command.ts";

export const command: Command = {
  summary: "run the embedded gateway with the plugin in it",
  usage: `usage: webhooks-conformance serve --config FILE --port N [options]
  --config FILE     the gateway's configuration document (JSON)
  --port N          where it listens on 127.0.0.1; 0 picks one
  --control-port N  opens the control port there
  --plugin FILE     host this plugin module instead of the one of this package
  --clock MODE      real (default) or driven through the control port
  --product NAME    product name in x-<product>-webhook-secret (default service)
SIGTERM ends it, SIGHUP reloads the configuration.`,
  async run(args) {
    const { runServe } = await import("../../fakes/serve.ts");
    const code = await runServe(args);
    // A hosted plugin's own timers must not keep the process alive.
    process.exit(code);
  },
};
