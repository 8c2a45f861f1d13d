import type { Case } from "../../harness/case.ts";
import { credentialCases } from "./credentials.ts";
import { coldRouteCases } from "./cold-routes.ts";
import { nearMissCases } from "./near-misses.ts";
import { placeCases } from "./places.ts";
import { secretCases } from "./secrets.ts";
import { wrongSecretCases } from "./wrong-secrets.ts";

export const authenticationCases: readonly Case[] = [
  ...credentialCases,
  ...wrongSecretCases,
  ...placeCases,
  ...nearMissCases,
  ...coldRouteCases,
  ...secretCases,
];
