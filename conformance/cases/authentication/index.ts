import type { Case } from "../../harness/case.ts";
import { credentialCases } from "./credentials.ts";
import { secretRowCases } from "./secret-rows.ts";
import { secretCases } from "./secrets.ts";

export const authenticationCases: readonly Case[] = [...credentialCases, ...secretRowCases, ...secretCases];
