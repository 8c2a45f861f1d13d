/** What is made, learned or asked once for each instance of a target. */
import type { Instance } from "./instance.ts";

export function perInstance<T>(make: (instance: Instance) => T): (instance: Instance) => T {
  const made = new WeakMap<Instance, T>();
  return (instance) => {
    const known = made.get(instance) ?? make(instance);
    made.set(instance, known);
    return known;
  };
}
