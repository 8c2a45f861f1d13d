/** The playground's options, from the command line. Every mistake is a StartError that says what is expected. */
import { StartError } from "../errors.ts";
import { numberOf, readFlags, seeHelp } from "../flags.ts";
import { namedRoutes } from "../named-routes.ts";
import { persistedOperations, type PersistedOperation } from "../managed-flows.ts";
import { actionNames, outcomeNames, type Outcome } from "./outcomes.ts";
import { playgroundFlags } from "./playground-flags.ts";

const MOST_FLOWS = 10_000;
const LONGEST_MS = 3_600_000;

/** An outcome for every nth action. */
export interface Fault {
  /** As given on the command line, without the number. */
  readonly name: string;
  /** Default: any action. */
  readonly action?: string;
  readonly outcome: Outcome;
  readonly every: number;
}

export type PlaygroundOptions = ReturnType<typeof readPlaygroundOptions>;

/** Reads the arguments; secrets come from `env`. Throws StartError. */
export function readPlaygroundOptions(args: readonly string[], env: NodeJS.ProcessEnv) {
  const given = parsed(args);
  const tasksEnd = given["tasks-end"];
  return {
    routes: namedRoutes(given.route ?? [], given["secret-env"] ?? [], env),
    port: numberOf("--port", given.port),
    product: given.product,
    flows: numberOf("--flows", given.flows, MOST_FLOWS),
    faults: (given.fault ?? []).map(faultOf),
    latencyMs: numberOf("--latency", given.latency, LONGEST_MS),
    failPersistence: (given["fail-persistence"] ?? []).map(operationOf),
    verbose: given.verbose,
    tasksEndMs: tasksEnd === undefined ? undefined : numberOf("--tasks-end", tasksEnd, LONGEST_MS),
  };
}

function parsed(args: readonly string[]) {
  const other = args.find((word) => /^--(config|control-port|clock|runtime)(=|$)/.test(word))?.split("=", 1)[0];
  if (other !== undefined)
    throw new StartError(
      `${other} and --route exclude each other: --config FILE has routes of its own, and serves a clock or a control port ${seeHelp}.`,
    );
  return readFlags(args, playgroundFlags);
}

function faultOf(text: string): Fault {
  const [, name = "", action, ending = "", count = ""] = /^((?:(\w+):)?(\w+))=(\d+)$/.exec(text) ?? [];
  const every = Number(count);
  const known = outcomeNames.find((outcome) => outcome === ending);
  const outcome = known ?? (/^[2-5]\d\d$/.test(ending) ? { status: Number(ending) } : undefined);
  if (action !== undefined && !actionNames.includes(action))
    throw new StartError(`--fault is "${text}", expected one of these actions: ${actionNames.join(", ")}.`);
  if (outcome !== undefined && every > 0) return { name, outcome, every, ...(action !== undefined && { action }) };
  const expected = `expected [ACTION:]OUTCOME=N with N from 1 and OUTCOME a status or one of: ${outcomeNames.join(", ")}`;
  throw new StartError(`--fault is "${text}", ${expected}.`);
}

function operationOf(text: string): PersistedOperation {
  const found = persistedOperations.find((operation) => operation === text);
  if (found !== undefined) return found;
  throw new StartError(`--fail-persistence is "${text}", expected one of: ${persistedOperations.join(", ")}.`);
}
