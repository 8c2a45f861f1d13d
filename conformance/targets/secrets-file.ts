/** `secrets.env`: what `config` writes for a target that runs already. A target that the kit starts gets fresh secrets. */
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { CONTROL_TOKEN, freshKeyring, variableOf, type Keyring } from "./keyring.ts";
import { standardRoutes } from "./standard-routes.ts";
import { readText } from "../foundation/read-file.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { canRestart, type Target } from "./target-file.ts";

const RUN_VARIABLE = "WEBHOOKS_CONFORMANCE_RUN";
/** Nothing may resolve a cold route's secret, so it is in no file. */
const keptRoutes = standardRoutes.filter((route) => route.secret !== "cold");

/** `secrets.env`: a variable for each route's secret (also inline ones, for the suite to read), the control port's token and the run's name. */
export function environmentFile(keyring: Keyring): string {
  const lines = keptRoutes.map((route) => `${variableOf(route)}=${keyring.secretOf(route)}`);
  return `${[`${RUN_VARIABLE}=${keyring.run}`, `${CONTROL_TOKEN}=${keyring.controlToken}`, ...lines].join("\n")}\n`;
}

/** The keyring for a run against the target. Throws `UsageError` where a running target's file is absent or incomplete. */
export async function keyringFor(target: Target): Promise<Keyring> {
  const fresh = freshKeyring(target.config.sessionKey);
  if (canRestart(target)) return fresh;
  const file = join(resolve(target.folder, target.config.dir), "secrets.env");
  let variables: Record<string, string | undefined>;
  try {
    variables = parseEnv(await readText(file, file));
  } catch {
    throw new UsageError(
      `with baseUrl the run needs the secrets that the target was given: ${file} could not be read.\n` +
        "Write it with: webhooks-conformance config --out DIR, and name DIR as config.dir",
    );
  }
  const absent = [RUN_VARIABLE, ...keptRoutes.map(variableOf)].find((name) => (variables[name] ?? "") === "");
  if (absent !== undefined)
    throw new UsageError(`${file} has no ${absent}: write it anew with webhooks-conformance config`);
  const run = variables[RUN_VARIABLE] ?? "";
  const { [CONTROL_TOKEN]: controlToken } = variables;
  return freshKeyring(target.config.sessionKey, {
    run,
    controlToken,
    secretOf: (route) => variables[variableOf(route)],
  });
}
