/** The session of a child: whether run_task has to name one is open, so it does where the target insists. */
import type { World } from "./world.ts";

/** What is learned of a target by a run_task that names no session. */
export const NO_CHILD_KEY = "no childSessionKey";

/** The fields of a run_task: with a childSessionKey for a target that has refused one without, else as they are. */
export function withChildKey<Fields extends object>({ learned }: World, action: string, more: Fields): Fields {
  const isWanted = action === "run_task" && learned.get(`takes run_task with ${NO_CHILD_KEY}`) === "no";
  return isWanted ? { childSessionKey: { $sessionKey: "route", as: "child" }, ...more } : more;
}
