/** The targets of a run: one for each group of cases that needs one to itself, and for each other configuration. */
import { StartError } from "../foundation/start-error.ts";
import type { Case } from "../harness/case.ts";
import type { VariantName } from "../targets/variants.ts";
import type { RunState } from "./context.ts";
import { Host, type HostParts } from "./host.ts";
import { clocksOf, groupNames, runsAlone, withSourcesFor, type GroupName, type Groups } from "./plan.ts";

/** All hosts of a run; once it is closed, none of them starts a target any more. */
export function hostPool(state: RunState) {
  const { target, cases, quick, reloads } = state.context;
  const hosts: Host[] = [];
  let isClosed = false;
  return {
    /** A host for these cases; by default with the clock that most cases of the run need. */
    hostFor(members: readonly Case[], variant: VariantName, more: Pick<HostParts, "standard" | "clock"> = {}): Host {
      const clocks = clocksOf(target, cases, quick);
      const clock = clocks === "both" ? "real" : clocks;
      const context = { ...state.context, target: withSourcesFor(members, target) };
      const means = { clock, ...more };
      // What has a target to itself, the limits above all, is judged as it is after a reload. Only a running target may
      // show its clock.
      const areAlone = members.every((item) => runsAlone(item, means.clock ?? "driven"));
      const reloadsFirst = reloads && variant === "standard" && areAlone;
      const host = new Host({ ...means, reloadsFirst, ...state, context, variant });
      hosts.push(host);
      if (isClosed) void host.close();
      return host;
    },
    async watchHealth(): Promise<void> {
      await Promise.all(hosts.map((host) => host.lastLook()));
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
}

export type HostPool = ReturnType<typeof hostPool>;

interface Parts {
  /** The cases of the run, and the groups that they form if the target offers all that they need. */
  readonly cases: readonly Case[];
  readonly groups: Groups;
  readonly restarts: boolean;
  readonly pool: HostPool;
}

export type Hosts = Awaited<ReturnType<typeof startHosts>>;

/**
 * Starts a target for each group at the same time. Some targets refuse to start when a single secret cannot be resolved:
 * such a target, which refuses twice, fails the cases about that, and is judged without the cold routes: `refusal` says
 * why. Throws `StartError`.
 */
export async function startHosts(parts: Parts) {
  try {
    return await startWith("standard", parts);
  } catch (error) {
    if (!(error instanceof StartError) || !error.exited || !parts.restarts) throw error;
    // It may have ended by bad luck, as when another program took its port.
    const again = await startWith("standard", parts).catch(() => undefined);
    if (again !== undefined) return again;
    return await startWith("withoutCold", parts, error).catch(() => Promise.reject(error));
  }
}

async function startWith(variant: VariantName, { cases, groups, restarts, pool }: Parts, refusal?: StartError) {
  const [first = "shared", ...others] = filled(groups);
  const main = pool.hostFor(cases, variant, clockOf(first));
  const standard = main.ensureRunning().then(({ facts }) => facts);
  // A failed start is told below, and by whoever uses the host.
  standard.catch(() => {});
  const start = (name: GroupName, members: readonly Case[]) => {
    const host = pool.hostFor(members, variant, { standard, ...clockOf(name) });
    host.ensureRunning().catch(() => {});
    return host;
  };
  const started = new Map([[first, main]]);
  if (restarts) for (const name of others) started.set(name, start(name, groups[name]));
  /** The host of each group that has cases: the main one where the target cannot be started more than once. */
  const of = (planned: Groups): ReadonlyMap<GroupName, Host> => {
    const free = planned[first].length === 0 ? [main] : [];
    const hostOf = (name: GroupName) => started.get(name) ?? free.pop() ?? start(name, planned[name]);
    return new Map(filled(planned).map((name) => [name, restarts ? hostOf(name) : main]));
  };
  return { main, server: await main.ensureRunning(), variant, refusal, of };
}

const filled = (groups: Groups) => groupNames.filter((name) => groups[name].length > 0);

const clockOf = (group: GroupName) => (group === "driven" ? ({ clock: "driven" } as const) : {});
