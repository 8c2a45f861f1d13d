/** The properties, as cases of the suite. */
import type { Case } from "../harness/case.ts";
import { propertyCase } from "./property-case.ts";
import { leakageProperty, notStored, revisionsProperty, statesProperty } from "./definitions/flows.ts";
import type { Property } from "./definitions/property.ts";
import { orderProperty } from "./definitions/check-order.ts";
import { races } from "./definitions/races.ts";
import { runTaskFields } from "./definitions/run-task-fields.ts";

/** Every property of stories about flows. */
export const properties: readonly Property[] = [
  statesProperty,
  revisionsProperty,
  runTaskFields,
  leakageProperty,
  races,
  notStored,
];

/** The property cases but that of the limits, which plays the endings of a case. */
export const propertyCases = (seed: number): readonly Case[] => [
  ...properties.map((property) => propertyCase(property, seed)),
  orderProperty(seed),
];

/** The property of this id, if any. */
export const propertyOf = (id: string): Property | undefined => properties.find((property) => property.id === id);
