/** Starts a target as a run does, for what looks at it before it is judged. */
import type { Capability } from "../harness/capability.ts";
import { cases } from "../catalogue.ts";
import { Host } from "../run/host.ts";
import { runContext } from "../run/context.ts";
import { capabilitiesOf, planOf, type Plan } from "../run/plan.ts";
import { readProfile } from "../interface/profile.ts";
import type { Keyring } from "../targets/configuration.ts";
import type { Instance } from "../targets/instance.ts";
import type { Target } from "../targets/target-file.ts";
import type { Facts } from "../harness/facts.ts";

export interface Visit {
  readonly target: Target;
  readonly instance: Instance;
  readonly facts: Facts;
  readonly capabilities: ReadonlySet<Capability>;
  /** The plan of a whole run. */
  readonly plan: Plan;
  /** From the start command until the first questions about the target were answered, ms. */
  readonly startMs: number;
}

/** Starts the target, calls `look`, and stops the target. Throws `StartError` and `UsageError`. */
export async function visit<T>(target: Target, keyring: Keyring, look: (visit: Visit) => Promise<T>): Promise<T> {
  const profile = await readProfile(target.profile, target.folder);
  const host = new Host(runContext({ target, profile, cases, keyring }), "standard");
  const started = performance.now();
  try {
    const running = await host.ensureRunning();
    const startMs = performance.now() - started;
    const { instance, facts } = running;
    const capabilities = capabilitiesOf(running);
    const plan = planOf(cases, { capabilities, profile, quick: false, driven: facts.driven });
    return await look({ target, instance, facts, capabilities, plan, startMs });
  } finally {
    await host.close();
  }
}
