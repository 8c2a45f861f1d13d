import type { Case } from "../../harness/case.ts";
import { credentialCases } from "./credentials.ts";
import { placeCases } from "./places.ts";
import { refusalCases } from "./refusals.ts";
import { secretRowCases } from "./secret-rows.ts";
import { secretCases } from "./secrets.ts";

export const authenticationCases: readonly Case[] = [
  ...credentialCases,
  ...refusalCases,
  ...secretRowCases,
  ...placeCases,
  ...secretCases,
];
