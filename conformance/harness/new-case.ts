/** A new required case only warns in the minor version that brings it: an upgrade of the suite alone turns no gate red. */
import type { Case } from "./case.ts";

/** The case as it counts in this version of the suite; `since` stays only where it is new. */
export function inVersion(version: string, item: Case): Case {
  const { since, ...rest } = item;
  if (since === undefined) return item;
  return item.level === "must" && version.startsWith(`${since}.`) ? { ...item, level: "should" } : rest;
}

/** A new case covers its clauses already; else a new clause would leave every run incomplete. */
export const isRequired = ({ level, since }: Pick<Case, "level"> & { readonly since?: string | undefined }): boolean =>
  level === "must" || since !== undefined;

export const newSince = (since: string): string =>
  `new in ${since}: warns, and is required from the next minor version`;
