/** The session of a child: whether run_task has to name one is open, so it does where the target insists. */
import { runTask } from "../../fixtures/bodies.ts";
import type { World } from "./world.ts";

const runtimes: readonly unknown[] = ["subagent", "acp"];

/** What is learned of a target by a run_task that names no session: one runtime may need one and another not. */
export const noChildKey = (runtime: unknown): string => `no childSessionKey, runtime ${JSON.stringify(runtime)}`;

/** The fields of a run_task: with a childSessionKey for a target that has refused one without, else as they are. */
export function withChildKey<Fields extends object>({ learned }: World, action: string, more: Fields): Fields {
  if (action !== "run_task") return more;
  const { runtime } = { ...runTask(""), ...more } as { readonly runtime?: unknown };
  const isWantedFor = (name: unknown) => learned.get(`takes run_task with ${noChildKey(name)}`) === "no";
  // Of a runtime that there is not nothing was learned.
  const isWanted = runtimes.includes(runtime) ? isWantedFor(runtime) : runtimes.some(isWantedFor);
  return isWanted ? { childSessionKey: { $sessionKey: "route", as: "child" }, ...more } : more;
}
