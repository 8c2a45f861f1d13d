/** The invariants: what every exchange of every case and property must keep. */
import type { Case } from "../harness/case.ts";
import { answerRules } from "./answers.ts";
import { contradictions } from "./contradictions.ts";
import { foreignFlows } from "./foreign-flows.ts";
import { leftToRuntime } from "./left-to-runtime.ts";
import { metadata } from "./metadata.ts";
import { secrets } from "./secrets.ts";

export const invariants: readonly Case[] = [
  ...answerRules,
  metadata,
  ...secrets,
  contradictions,
  foreignFlows,
  leftToRuntime,
];
