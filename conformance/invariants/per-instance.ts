import type { Instance } from "../targets/instance.ts";

/** Makes something once for each instance of the target. */
export function perInstance<T>(make: (instance: Instance) => T): (instance: Instance) => T {
  const made = new WeakMap<Instance, T>();
  return (instance) => {
    const known = made.get(instance) ?? make(instance);
    made.set(instance, known);
    return known;
  };
}

/** The ids of the routes that surely answer, by path. */
export function servedRoutes({ configuration: { routes, served } }: Instance): ReadonlyMap<string, string> {
  return new Map([...routes.values()].filter(({ id }) => served.has(id)).map(({ path, id }) => [path, id]));
}
