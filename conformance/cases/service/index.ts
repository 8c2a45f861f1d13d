import type { Case } from "../../harness/case.ts";
import { badConfigurationCases } from "./bad-configuration.ts";
import { changedConfigurationCases } from "./changed-configuration.ts";
import { foreignRows } from "./foreign-rows.ts";
import { foreignSessionCases, foreignStateCases } from "./foreign-sessions.ts";
import { routeCases } from "./routes.ts";
import { sessionKeyCases } from "./session-keys.ts";
import { manyFlowCases, sessionCases } from "./sessions.ts";

export const serviceCases: readonly Case[] = [
  ...routeCases,
  ...badConfigurationCases,
  ...changedConfigurationCases,
  ...sessionCases,
  ...sessionKeyCases,
  ...foreignRows,
  ...manyFlowCases,
  ...foreignSessionCases,
  ...foreignStateCases,
];
