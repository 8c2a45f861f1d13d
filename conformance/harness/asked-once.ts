/** Caches an answer of the target per server: the first case that needs it asks. */
import type { Server } from "../targets/server.ts";
import { perServer } from "../targets/per-server.ts";
import { isTransient } from "./case-errors.ts";

/**
 * Gives what `ask` gave for this server and name before, or asks; a second time where the answer was lost or the time ran
 * out. Not more often: a target that keeps one waiting would do so for each case.
 */
export function askedOnce<T>(
  isLost = (_found: T): boolean => false,
): (server: Server, name: string, ask: () => Promise<T>) => Promise<T> {
  const knownOf = perServer(() => ({ asked: new Map<string, Promise<T>>(), again: new Set<string>() }));
  return (server, name, ask) => {
    const { asked, again } = knownOf(server);
    const before = asked.get(name);
    if (before !== undefined) return before;
    const now = ask();
    asked.set(name, now);
    const forget = (isOpen: boolean): void => {
      if (!isOpen || again.has(name)) return;
      again.add(name);
      asked.delete(name);
    };
    now.then(
      (found) => forget(isLost(found)),
      (error: unknown) => forget(isTransient(error)),
    );
    return now;
  };
}
