/** The properties, as cases of the suite. */
import type { Case } from "../case.ts";
import { propertyCase } from "./case.ts";
import type { Executor } from "./executor.ts";
import { leakage } from "./leakage.ts";
import type { Watch } from "./player.ts";
import type { Property } from "./property.ts";
import { revisions } from "./revisions.ts";
import { order } from "./order.ts";
import { runTaskFields } from "./run-task.ts";
import { defaultDepth, type Depth } from "./search.ts";
import { states } from "./states.ts";
import type { World } from "./world.ts";

/** Every property. */
export const properties: readonly Property[] = [order, states, revisions, runTaskFields, leakage];

/** The property cases; each looks as deep as `depth` says. */
export function propertyCases(depth: Depth = defaultDepth): readonly Case[] {
  return properties.map((property) => propertyCase(property, depth));
}

/** What the property of this id judges beside the model; undefined where it is the model alone. */
export function watchOf(id: string): ((executor: Executor, world: World) => Watch) | undefined {
  return properties.find((property) => property.id === id)?.watch;
}
