/** Routes that flags of `serve` name, in place of a configuration file. */
import { StartError } from "./errors.ts";
import { seeHelp } from "./flags.ts";

export interface NamedRoute {
  readonly id: string;
  /** The environment variable that holds the secret. */
  readonly variable: string;
  readonly secret: string;
}

/** The routes of `--route ID` and `--secret-env NAME`; secrets come from `env`. Throws StartError. */
export function namedRoutes(
  ids: readonly string[],
  variables: readonly string[],
  env: NodeJS.ProcessEnv,
): NamedRoute[] {
  if (ids.length === 0) throw new StartError(`--route ID is missing ${seeHelp}.`);
  const wanted = "expected --secret-env NAME, once for all routes or once for each";
  if (variables.length !== 1 && variables.length !== ids.length)
    throw new StartError(`${ids.length} routes and ${variables.length} secrets: ${wanted} ${seeHelp}.`);
  // The plugin compares paths without regard to case.
  const lower = ids.map((id) => id.toLowerCase());
  return ids.map((id, index) => {
    if (!/^[\w.-]+$/.test(id)) throw new StartError(`--route is "${id}", expected letters, digits, ".", "_" and "-".`);
    if (lower.indexOf(id.toLowerCase()) !== index)
      throw new StartError(`--route ${id} is given twice: expected ids that differ, and not by case alone.`);
    const variable = variables[index] ?? variables[0] ?? "";
    if (!/^[A-Za-z_]\w*$/.test(variable)) throw new StartError("--secret-env: expected the name of a variable.");
    const secret = env[variable]?.trim() ?? "";
    if (secret !== "") return { id, variable, secret };
    throw new StartError(`The variable ${variable} is empty or not set. Set it first: export ${variable}=...`);
  });
}

/** The configuration document of a gateway with these routes, each with a session of its own. */
export function documentOf(routes: readonly NamedRoute[]) {
  const entries = routes.map(({ id, variable }) => {
    return [id, { sessionKey: `serve:${id}`, secret: { source: "env", provider: "default", id: variable } }] as const;
  });
  return { plugins: { entries: { webhooks: { config: { routes: Object.fromEntries(entries) } } } } };
}
