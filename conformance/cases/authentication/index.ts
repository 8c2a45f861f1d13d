import type { Case } from "../../harness/case.ts";
import { credentialCases } from "./credentials.ts";
import { refusalCases } from "./refusals.ts";
import { secretRowCases } from "./secret-rows.ts";
import { secretCases } from "./secrets.ts";

export const authenticationCases: readonly Case[] = [
  ...credentialCases,
  ...refusalCases,
  ...secretRowCases,
  ...secretCases,
];
