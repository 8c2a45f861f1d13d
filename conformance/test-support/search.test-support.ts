/** Properties against the kit's own plugin with one change, over sockets in this process. */
import type { Case } from "../harness/case.ts";
import { judgeSubject } from "../proof/judge-subject.ts";
import { together } from "../proof/changes.ts";
import { products } from "../proof/products/index.ts";
import type { Change } from "../proof/subject.ts";
import { httpExecutors, type Executor } from "../oracle/play/executor.ts";
import { propertyOf } from "../properties/index.ts";
import { propertyCase } from "../properties/property-case.ts";
import { search, type Found, type SearchOptions } from "../properties/search.ts";

/** A fault that needs a history: a stale change is a conflict, and from then on any revision of its flow is taken. */
export const conflictForgiven: Change = together(
  ...products
    .filter(({ id }) => /^(?!cancel).* takes any revision, of a flow that had a conflict$/.test(id))
    .map(({ change }) => change),
);

type Executors = () => Promise<Executor>;

interface Options extends Partial<Omit<SearchOptions, "profile" | "executor" | "seed">> {
  readonly profile?: "reference" | "spec";
  readonly seed?: number;
  /** Puts something between the search and the target. */
  readonly around?: (executors: Executors) => Executors;
}

/** What the property finds, with the reference profile. */
export async function searched(change: Change, id: string, options: Options = {}): Promise<Found | undefined> {
  const { profile: name = "reference", seed = 1, around = (executors) => executors, ...more } = options;
  const property = propertyOf(id);
  if (property === undefined) throw new Error(`there is no property ${id}`);
  let [isSearched, found]: [boolean, Found | undefined] = [false, undefined];
  const searching: Case = {
    ...propertyCase(property, seed),
    async run(trial) {
      const { profile, signal } = trial;
      found = await search(property, {
        profile,
        signal,
        executor: around(httpExecutors(trial)),
        seed,
        ...more,
      });
      isSearched = true;
    },
  };
  const { results } = await judgeSubject(id, change, name, [searching]);
  if (!isSearched) throw new Error(`${id} was not searched: ${results[0]?.outcome} ${results[0]?.reason}`);
  return found;
}

/** The clause of the first departure, or `pass`. */
export async function clauseOf(change: Change, id: string, options: Options = {}): Promise<string> {
  return (await searched(change, id, options))?.first.departure.clause ?? "pass";
}
