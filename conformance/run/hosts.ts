/** The targets with the standard configuration: one for the cases side by side, and those that other groups have to themselves. */
import { StartError } from "../foundation/start-error.ts";
import type { Case } from "../harness/case.ts";
import type { VariantName } from "../targets/variants.ts";
import type { Host, HostParts, RunningTarget } from "./host.ts";
import { ownTargets, type OwnTarget } from "./plan.ts";

interface Parts {
  /** The cases of the run, and those that need a target of their own for sure. */
  readonly cases: readonly Case[];
  readonly beside: Readonly<Record<OwnTarget, readonly Case[]>>;
  /** The target can be started more than once. */
  readonly restarts: boolean;
  readonly hostFor: (cases: readonly Case[], variant: VariantName, more?: HostOptions) => Host;
}

/** What differs from host to host of one run. */
export type HostOptions = Pick<HostParts, "standard" | "clock" | "spare">;

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
export async function startHosts({ cases, beside, restarts, hostFor }: Parts): Promise<Hosts> {
  const first = hostFor(cases, "standard");
  const learned = first.ensureRunning().then(({ facts }) => facts);
  // A failed start is told below.
  learned.catch(() => {});
  const early = new Map<OwnTarget, Host>();
  for (const group of ownTargets) {
    if (!restarts || beside[group].length === 0) continue;
    const host = hostFor(beside[group], "standard", { standard: learned, ...clockOf(group) });
    // Whoever uses it is told of a failure.
    host.ensureRunning().catch(() => {});
    early.set(group, host);
  }
  const found = await firstOf(first, () => hostFor(cases, "withoutCold"), restarts);
  const { main, variant, refusal } = found;
  if (variant !== "standard") await Promise.all([...early.values()].map((host) => host.close()));
  const running = await main.ensureRunning();
  let isTaken = false;
  const ownOf = (group: OwnTarget, ofGroup: readonly Case[], isShared: boolean) => {
    const started = variant === "standard" ? early.get(group) : undefined;
    if (started !== undefined) return started;
    if (!restarts || ofGroup.length === 0) return main;
    if (isShared || isTaken || group === "driven")
      return hostFor(ofGroup, variant, { standard: running.facts, ...clockOf(group) });
    isTaken = true;
    return main;
  };
  return { main, running, variant, refusal, ownOf };
}

const clockOf = (group: OwnTarget) => (group === "driven" ? ({ clock: "driven" } as const) : {});

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
