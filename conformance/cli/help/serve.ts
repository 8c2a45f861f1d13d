import { playgroundFlags, type Flag } from "../../../fakes/mocks/playground-flags.ts";
import { wrap } from "../../report/wrap.ts";

const flags = Object.entries<Flag>(playgroundFlags).flatMap(([name, { value, says, default: usual }]) => [
  `  --${name}${value === undefined ? "" : ` ${value}`}`,
  ...wrap(`${says}${usual === undefined || usual === false ? "" : ` (default ${usual})`}`, "      "),
]);

export const usage = `usage: webhooks-conformance serve --route ID --secret-env NAME [options]
       webhooks-conformance serve --plugin FILE --route ID --secret-env NAME
       webhooks-conformance serve --config FILE --port N [options]

A playground with routes and faults set by flags; it logs each request to stderr,
in colour on a terminal unless NO_COLOR is set:
${flags.join("\n")}

A plugin to try by hand, with --route and --secret-env as above, or a server to
be judged, with a configuration file:
  --config FILE     the gateway's configuration document (JSON)
  --port N          where it listens on 127.0.0.1; 0 picks one
  --control-port N  opens the control port there; each call needs the secret of the
                    variable WEBHOOKS_CONTROL_TOKEN as Authorization: Bearer
  --plugin FILE     host this plugin module instead of the one of this package
  --clock MODE      real (default) or driven through the control port
  --runtime KIND    bare (default): the plugin has to check the states of flows, as in
                    observed gateways; checking: its runtime refuses by itself
  --product NAME    product name in x-<product>-webhook-secret (default service)

SIGTERM ends it; SIGHUP reloads a configuration file.
examples
  SECRET=dev-secret webhooks-conformance serve --route demo --secret-env SECRET
  S=dev webhooks-conformance serve --plugin p.js --route demo --secret-env S
  webhooks-conformance serve --config gateway.json --port 8080`;
