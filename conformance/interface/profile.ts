/** Profiles: what a target is held to where the interface leaves a gap. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { firstLineOf } from "../foundation/message-of.ts";
import { schemaFaults } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { profileSchema, type Profile } from "./gaps.ts";

export type { Profile } from "./gaps.ts";

/** Profiles shipped with the suite. */
export const shippedProfiles = ["spec", "reference", "openclaw"] as const;

/** Reads a shipped profile by name, or one's own by path (relative to `folder`). Throws `UsageError`. */
export async function readProfile(name: string, folder: string): Promise<Profile> {
  const isShipped = (shippedProfiles as readonly string[]).includes(name);
  if (!isShipped && !name.endsWith(".json")) {
    throw new UsageError(
      `there is no profile "${name}": use ${shippedProfiles.join(", ")} or a path that ends in .json`,
    );
  }
  const file = isShipped ? new URL(`profiles/${name}.json`, import.meta.url) : resolve(folder, name);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new UsageError(`the profile ${name} could not be read: ${firstLineOf(error)}`);
  }
  const checked = profileSchema.safeParse(value);
  if (checked.success) return checked.data;
  const faults = schemaFaults(checked.error).join("\n");
  throw new UsageError(`${name} is not a profile (it may bind gaps only, never what the interface states):\n${faults}`);
}
