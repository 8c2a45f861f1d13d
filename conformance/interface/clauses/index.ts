/** The ledger: every rule of the interface, once. */
import { authentication } from "./authentication.ts";
import type { Clause } from "./clause.ts";
import { endpoints } from "./endpoints.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { resources } from "./resources.ts";
import { service } from "./service.ts";
import { states } from "./states.ts";

const sections = { ...service, ...resources, ...states, ...endpoints, ...authentication, ...errors, ...limits };

export type ClauseId = keyof typeof sections;

export const ledger: Readonly<Record<ClauseId, Clause>> = sections;

/** The clause of this name, which a report may have from anywhere; undefined where there is none. */
export function clauseOf(id = ""): Clause | undefined {
  return Object.hasOwn(ledger, id) ? ledger[id as ClauseId] : undefined;
}

export const clauseIds = Object.keys(sections) as readonly ClauseId[];
