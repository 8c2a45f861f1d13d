/** The values that no revision is, as bash makes them: of the revision where they depend on it. */
import { oddNames, oddRevision } from "./odd-revisions.ts";

type Pieces = (string | { readonly bash: string })[];

const made: Readonly<Record<string, (revision: string) => Pieces>> = {
  text: (revision) => ['"', { bash: revision }, '"'],
  list: (revision) => ["[", { bash: revision }, "]"],
  fraction: (revision) => [{ bash: revision }, ".5"],
  negative: (revision) => [{ bash: `$((-1 - ${revision}))` }],
  wrapped: (revision) => [{ bash: `$((${revision} + ${2 ** 32}))` }],
};

/** JSON for the value of this name; `revision`: what bash expands to the flow's. Undefined where there is none of that name. */
export function oddInBash(name: string, revision: string): Pieces | undefined {
  if (!oddNames.includes(name)) return undefined;
  return Object.hasOwn(made, name) ? made[name]?.(revision) : [JSON.stringify(oddRevision(name, 0))];
}
