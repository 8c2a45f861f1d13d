/** Whether run_task has to name a child session is open, and so is which: where the target insists on one, requests name it. */
import type { Learned } from "./learned.ts";

const runtimes: readonly unknown[] = ["subagent", "acp"];

/** The forms of a right run_task, in the order in which they are tried: no key, one below the session's own, its own. */
export const keyForms = ["no childSessionKey", "a child's childSessionKey", "its own childSessionKey"] as const;
export type KeyForm = (typeof keyForms)[number];

/** Under which it is learned: one runtime may need a session and another not. */
export const keyRule = (form: string, runtime: unknown): string =>
  `takes run_task with ${form}, runtime ${JSON.stringify(runtime)}`;

/** The first form that the target has not refused for this runtime; undefined where it has refused all. */
export function keyFormFor(learned: Learned, runtime: unknown): KeyForm | undefined {
  const isLeft = (form: KeyForm) => learned.get(keyRule(form, runtime)) !== "no";
  // Nothing is learned of an unknown runtime: what any of the known ones needs does no harm.
  if (!runtimes.includes(runtime))
    return runtimes.map((known) => keyFormFor(learned, known)).find((form) => form !== keyForms[0]) ?? keyForms[0];
  return keyForms.find(isLeft);
}
