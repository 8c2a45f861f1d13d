/** Profiles: what a target is held to where the interface leaves a gap. */
import { resolve } from "node:path";
import { readJson } from "../foundation/read-file.ts";
import { checkedBy } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { profileSchema, type Profile } from "./gaps.ts";
import openclaw from "./profiles/openclaw.json" with { type: "json" };
import reference from "./profiles/reference.json" with { type: "json" };
import spec from "./profiles/spec.json" with { type: "json" };

export type { Profile } from "./gaps.ts";

const shipped: Readonly<Record<string, unknown>> = { spec, reference, openclaw };
export const shippedProfiles: readonly string[] = Object.keys(shipped);

/** Reads a shipped profile by name, or one's own by path (relative to `folder`). Throws `UsageError`. */
export async function readProfile(name: string, folder: string): Promise<Profile> {
  const isShipped = Object.hasOwn(shipped, name);
  if (!isShipped && !name.endsWith(".json")) {
    const known = `${shippedProfiles.join(", ")} or a path that ends in .json`;
    throw new UsageError(`there is no profile "${name}": use ${known}`);
  }
  const value = isShipped ? shipped[name] : await readJson(resolve(folder, name), `the profile ${name}`);
  const complaint = `${name} is not a profile (it may bind gaps only, never what the interface states)`;
  return checkedBy(profileSchema, value, complaint);
}
