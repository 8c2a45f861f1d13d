import type { Case } from "../../harness/case.ts";
import { badConfigurationCases } from "./bad-configuration.ts";
import { changedConfigurationCases } from "./changed-configuration.ts";
import { configurationCases } from "./configuration.ts";
import { foreignRows } from "./foreign-rows.ts";
import { fieldPairCases } from "./field-pairs.ts";
import { foreignSessionCases } from "./foreign-sessions.ts";
import { foreignStateCases } from "./foreign-states.ts";
import { manyFlowCases } from "./many-flows.ts";
import { routeIdCases } from "./route-ids.ts";
import { sessionKeyCases } from "./session-keys.ts";
import { sessionCases } from "./sessions.ts";

export const serviceCases: readonly Case[] = [
  ...configurationCases,
  ...badConfigurationCases,
  ...changedConfigurationCases,
  ...routeIdCases,
  ...fieldPairCases,
  ...sessionCases,
  ...sessionKeyCases,
  ...foreignRows,
  ...manyFlowCases,
  ...foreignSessionCases,
  ...foreignStateCases,
];
