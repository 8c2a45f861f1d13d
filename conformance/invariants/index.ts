/** The invariants: what every exchange of every case and property must keep. */
import type { Case } from "../harness/case.ts";
import { answerRules } from "./answers.ts";
import { flowRules } from "./contradictions.ts";
import { leakRules } from "./leaks.ts";
import { leftToRuntime } from "./left-to-runtime.ts";
import { limitRule } from "./limits.ts";

export const invariants: readonly Case[] = [...answerRules, ...leakRules, ...flowRules, limitRule, leftToRuntime];
