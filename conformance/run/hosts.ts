/** The targets with the standard configuration: one for the cases side by side, and those that other groups have to themselves. */
import { StartError } from "../foundation/start-error.ts";
import type { Case } from "../harness/case.ts";
import type { StandardFacts } from "../harness/facts.ts";
import type { VariantName } from "../targets/variants.ts";
import type { Host, RunningTarget } from "./host.ts";
import type { OwnTarget } from "./plan.ts";

interface Parts {
  /** The cases of the run, and those that need a target of their own for sure. */
  readonly cases: readonly Case[];
  readonly beside: Readonly<Record<OwnTarget, readonly Case[]>>;
  /** The target can be started more than once. */
  readonly restarts: boolean;
  /** What the target shows, where the caller knows it. */
  readonly known: StandardFacts | undefined;
  readonly hostFor: (
    cases: readonly Case[],
    variant: VariantName,
    standard?: StandardFacts | Promise<StandardFacts>,
  ) => Host;
}

export interface Hosts {
  readonly main: Host;
  readonly running: RunningTarget;
  /** The configuration that the targets run with. */
  readonly variant: VariantName;
  /** Why that is not the standard configuration. */
  readonly refusal: StartError | undefined;
  /** The host of a group that needs a target to itself. `isShared`: other cases use the main one. */
  ownOf(group: OwnTarget, cases: readonly Case[], isShared: boolean): Host;
}

/**
 * Starts the main target, and at the same time those that are needed for sure. Some targets refuse to start when a single
 * secret cannot be resolved: such a target fails the cases about that, and is judged without the cold routes. Throws
 * `StartError`.
 */
export async function startHosts({ cases, beside, restarts, known, hostFor }: Parts): Promise<Hosts> {
  const first = hostFor(cases, "standard", known);
  const learned = first.ensureRunning().then(({ facts }) => facts);
  // A failed start is told below.
  learned.catch(() => {});
  const startEarly = (group: readonly Case[]) => {
    if (!restarts || group.length === 0) return undefined;
    const host = hostFor(group, "standard", learned);
    // Whoever uses it is told of a failure.
    host.ensureRunning().catch(() => {});
    return host;
  };
  const early = { costly: startEarly(beside.costly), alone: startEarly(beside.alone) };
  const found = await firstOf(first, () => hostFor(cases, "withoutCold"), restarts);
  const { main, variant, refusal } = found;
  if (variant !== "standard") await Promise.all([early.costly?.close(), early.alone?.close()]);
  const running = await main.ensureRunning();
  let isTaken = false;
  const ownOf = (group: OwnTarget, ofGroup: readonly Case[], isShared: boolean) => {
    const started = variant === "standard" ? early[group] : undefined;
    if (started !== undefined) return started;
    if (!restarts || ofGroup.length === 0) return main;
    if (isShared || isTaken) return hostFor(ofGroup, variant, running.facts);
    isTaken = true;
    return main;
  };
  return { main, running, variant, refusal, ownOf };
}

async function firstOf(main: Host, withoutCold: () => Host, restarts: boolean) {
  try {
    await main.ensureRunning();
    return { main, variant: "standard", refusal: undefined } as const;
  } catch (error) {
    if (!(error instanceof StartError) || !error.exited || !restarts) throw error;
    const other = withoutCold();
    await other.ensureRunning().catch(() => Promise.reject(error));
    return { main: other, variant: "withoutCold", refusal: error } as const;
  }
}
