import type { Limits } from "./limits.ts";

/** Counts requests in flight by key. */
export interface InFlightLimiter {
  /** Takes a slot and returns the function that frees it (safe to call twice); undefined when no slot is free. */
  take(key: string): (() => void) | undefined;
  readonly trackedKeys: number;
}

/** Only active keys are tracked, and none is evicted: an evicted key would get new slots. */
export function createInFlightLimiter(limits: Limits): InFlightLimiter {
  const active = new Map<string, number>();

  function free(key: string): void {
    const left = (active.get(key) ?? 0) - 1;
    if (left > 0) active.set(key, left);
    else active.delete(key);
  }

  return {
    take(key) {
      const count = active.get(key) ?? 0;
      if (count >= limits.inFlight) return undefined;
      if (count === 0 && active.size >= limits.trackedKeys) return undefined;
      active.set(key, count + 1);
      let held = true;
      return () => {
        if (held) free(key);
        held = false;
      };
    },
    get trackedKeys() {
      return active.size;
    },
  };
}
