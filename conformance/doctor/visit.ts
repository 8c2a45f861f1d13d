/** A target that is looked at before it is judged: brought up as a run brings it up. */
import type { Capability } from "../harness/capability.ts";
import { cases } from "../catalogue.ts";
import { Host } from "../run/host.ts";
import { planOf, type Plan } from "../run/plan.ts";
import { readProfile } from "../interface/profile.ts";
import { capabilitiesOf } from "../run/run.ts";
import type { Keyring } from "../targets/keyring.ts";
import type { Instance } from "../targets/instance.ts";
import type { Target } from "../targets/target-file.ts";
import type { Facts } from "../harness/facts.ts";

export interface Visit {
  readonly target: Target;
  readonly instance: Instance;
  readonly facts: Facts;
  readonly capabilities: ReadonlySet<Capability>;
  /** What a whole run would do. */
  readonly plan: Plan;
  /** From the start command to the first right answer and the first questions, ms. */
  readonly startMs: number;
}

/** Brings the target up, lets `look` look at it, and stops it. Throws `StartError` and `UsageError`. */
export async function visit<T>(target: Target, keyring: Keyring, look: (visit: Visit) => Promise<T>): Promise<T> {
  const profile = await readProfile(target.profile, target.folder);
  const { signal } = new AbortController();
  const host = new Host({ target, variant: "standard", keyring, profile, signal });
  const started = performance.now();
  try {
    const { instance, facts } = await host.standing();
    const startMs = performance.now() - started;
    const capabilities = capabilitiesOf(target, instance.control?.capabilities ?? [], facts.addresses !== undefined);
    const plan = planOf(cases, { capabilities, profile, quick: false, driven: facts.driven });
    return await look({ target, instance, facts, capabilities, plan, startMs });
  } finally {
    await host.close();
  }
}
