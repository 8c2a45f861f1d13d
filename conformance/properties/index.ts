/** The properties, as cases of the suite. */
import type { Case } from "../case.ts";
import { propertyCase } from "./case.ts";
import { leakage } from "./leakage.ts";
import { revisions } from "./revisions.ts";
import { order } from "./order.ts";
import { runTaskFields } from "./run-task.ts";
import { defaultDepth, type Depth } from "./search.ts";
import { states } from "./states.ts";

/** The property cases; each looks as deep as `depth` says. */
export function propertyCases(depth: Depth = defaultDepth): readonly Case[] {
  return [
    propertyCase(order, depth),
    propertyCase(states, depth),
    propertyCase(revisions, depth),
    propertyCase(runTaskFields, depth),
    propertyCase(leakage, depth),
  ];
}
