/** Whether run_task has to name a child session is open; where the target insists on one, requests name it. */
import type { Learned } from "./learned.ts";

const runtimes: readonly unknown[] = ["subagent", "acp"];

/** The key under which a run_task without a session is learned: one runtime may need a session and another not. */
export const noChildKey = (runtime: unknown): string => `no childSessionKey, runtime ${JSON.stringify(runtime)}`;

/** Whether the target has refused a run_task of this runtime because it named no session; nothing is learned of an unknown runtime. */
export function wantsChildKey(learned: Learned, runtime: unknown): boolean {
  const isWantedFor = (name: unknown) => learned.get(`takes run_task with ${noChildKey(name)}`) === "no";
  return runtimes.includes(runtime) ? isWantedFor(runtime) : runtimes.some(isWantedFor);
}
