/** Properties against the kit's own plugin with one change, called directly: no gateway, no sockets. */
import { tmpdir } from "node:os";
import { readProfile } from "../interface/profile.ts";
import { shortfallOf } from "../properties/property-case.ts";
import { directExecutors } from "../properties/play/direct-executor.ts";
import { propertyOf } from "../properties/index.ts";
import { search, type SearchOptions, type Searched } from "../properties/search.ts";
import { directSubject } from "../proof/direct.ts";
import type { Change } from "../proof/subject.ts";

const options = { product: "service", stateDir: tmpdir(), timeoutMs: 5000, log: () => {} };

/** Executors that give each story a changed plugin of its own. */
export const executorsOf = (change: Change) => directExecutors(directSubject(change), options);

/** What the property finds, with the default depth and the reference profile. */
export async function searched(change: Change, id: string, more: Partial<SearchOptions> = {}): Promise<Searched> {
  const property = propertyOf(id);
  if (property === undefined) throw new Error(`there is no property ${id}`);
  const profile = await readProfile("reference", ".");
  return search(property, { profile, executor: executorsOf(change), depth: { seed: 1 }, ...more });
}

/** The outcome that its case would have; nothing is shrunk. */
export async function outcomeOf(change: Change, id: string): Promise<"fail" | "unreached" | "pass"> {
  const result = await searched(change, id, { confirms: false });
  if (result.found !== undefined) return "fail";
  const property = propertyOf(id);
  const profile = await readProfile("reference", ".");
  return property !== undefined && shortfallOf(property, result, profile) === undefined ? "pass" : "unreached";
}
