/** The catalogue: every case of the suite, theme by theme. The limits come first: they want keys that nobody has used. */
import { authenticationCases } from "./cases/authentication/index.ts";
import { endpointsCases } from "./cases/endpoints/index.ts";
import { errorsCases } from "./cases/errors/index.ts";
import { limitsCases } from "./cases/limits/index.ts";
import { resourcesCases } from "./cases/resources/index.ts";
import { serviceCases } from "./cases/service/index.ts";
import { statesCases } from "./cases/states/index.ts";
import type { Case } from "./harness/case.ts";
import { invariants } from "./invariants/index.ts";
import { propertyCases } from "./properties/index.ts";
import { defaultDepth, type Depth } from "./properties/search.ts";

/** Cases that follow an example each. */
const examples: readonly Case[] = [
  ...limitsCases,
  ...endpointsCases,
  ...resourcesCases,
  ...authenticationCases,
  ...serviceCases,
  ...statesCases,
  ...errorsCases,
];

/** The whole suite, with properties of this depth. */
export const casesAt = (depth: Depth): readonly Case[] => [...examples, ...invariants, ...propertyCases(depth)];

export const cases: readonly Case[] = casesAt(defaultDepth);
