/** The properties, as cases of the suite. */
import type { Case } from "../harness/case.ts";
import { propertyCase } from "./case.ts";
import { keys } from "./keys.ts";
import { leakage } from "./leakage.ts";
import { limits } from "./limits.ts";
import { notStored } from "./not-stored.ts";
import type { Property } from "./property.ts";
import { revisions } from "./revisions.ts";
import { order } from "./order.ts";
import { races } from "./races.ts";
import { runTaskFields } from "./run-task.ts";
import { defaultDepth, type Depth } from "./search.ts";
import { states } from "./states.ts";

/** Every property. */
export const properties: readonly Property[] = [
  order,
  states,
  revisions,
  runTaskFields,
  leakage,
  limits,
  keys,
  races,
  notStored,
];

/** The property cases; each looks as deep as `depth` says. */
export function propertyCases(depth: Depth = defaultDepth): readonly Case[] {
  return properties.map((property) => propertyCase(property, depth));
}

/** The property of this id; undefined where there is none. */
export const propertyOf = (id: string): Property | undefined => properties.find((property) => property.id === id);
