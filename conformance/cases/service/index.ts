import type { Case } from "../../harness/case.ts";
import { badConfigurationCases } from "./bad-configuration.ts";
import { changedConfigurationCases } from "./changed-configuration.ts";
import { foreignRows } from "./foreign-rows.ts";
import { routeCases } from "./routes.ts";
import { sessionCases } from "./sessions.ts";

export const serviceCases: readonly Case[] = [
  ...routeCases,
  ...badConfigurationCases,
  ...changedConfigurationCases,
  ...sessionCases,
  ...foreignRows,
];
