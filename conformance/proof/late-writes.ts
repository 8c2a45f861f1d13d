/** What comes between a check and its write: whoever checks meanwhile finds what the first one found. */
import { setImmediate as turn } from "node:timers/promises";
import type { BoundFlows } from "../../plugin/ports.ts";
import type { Change } from "./subject.ts";

/** Between check and write, in microseconds. */
const LATE_US = 100;

/** How faults with such a gap are told. */
export const late = `${LATE_US / 1000} ms later, with others let in between`;

/** Lets others run until `us` microseconds are over: timers are no finer than a millisecond. */
export async function gap(us = LATE_US): Promise<void> {
  const until = performance.now() + us / 1000;
  do await turn();
  while (performance.now() < until);
}

/** The runtime checks, awaits, and writes without a second look. */
export const writesLate = (awaited: readonly (keyof BoundFlows)[], us = LATE_US): Change => ({
  runtime: { awaited, beforeWrite: () => gap(us) },
});
