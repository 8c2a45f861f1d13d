/** Properties against the kit's own plugin, changed in one thing: called directly, without gateway and sockets. */
import { tmpdir } from "node:os";
import { readProfile } from "../interface/profile.ts";
import { shortfallOf } from "../properties/property-case.ts";
import { directExecutors } from "../properties/play/direct-executor.ts";
import { propertyOf } from "../properties/index.ts";
import { search, type SearchOptions, type Searched } from "../properties/search.ts";
import { directSubject } from "../proof/direct.ts";
import type { Change } from "../proof/subject.ts";

const options = { product: "service", stateDir: tmpdir(), timeoutMs: 5000, log: () => {} };

/** What gives each story a plugin of its own, changed in one thing. */
export const executorsOf = (change: Change) => directExecutors(directSubject(change), options);

/** What the property of this id finds, with the default depth and the reference profile. */
export async function searched(change: Change, id: string, more: Partial<SearchOptions> = {}): Promise<Searched> {
  const property = propertyOf(id);
  if (property === undefined) throw new Error(`there is no property ${id}`);
  const profile = await readProfile("reference", ".");
  return search(property, { profile, executor: executorsOf(change), depth: { seed: 1 }, ...more });
}

/** What its case would come to; no story is made smaller. */
export async function outcomeOf(change: Change, id: string): Promise<"fail" | "unreached" | "pass"> {
  const result = await searched(change, id, { confirms: false });
  if (result.found !== undefined) return "fail";
  const property = propertyOf(id);
  const profile = await readProfile("reference", ".");
  return property !== undefined && shortfallOf(property, result, profile) === undefined ? "pass" : "unreached";
}
