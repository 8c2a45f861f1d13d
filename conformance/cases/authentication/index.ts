import type { Case } from "../../harness/case.ts";
import { coldRouteCases } from "./cold-routes.ts";
import { credentialCases } from "./credentials.ts";
import { placeCases } from "./places.ts";
import { secretRowCases } from "./secret-rows.ts";
import { secretCases } from "./secrets.ts";

export const authenticationCases: readonly Case[] = [
  ...credentialCases,
  ...secretRowCases,
  ...placeCases,
  ...secretCases,
  ...coldRouteCases,
];
