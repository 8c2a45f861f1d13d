/** The invariants: what every exchange of every case and property must keep. */
import type { Case } from "../harness/case.ts";
import { contradictions } from "./contradictions.ts";
import { envelope } from "./envelope.ts";
import { foreignFlows } from "./foreign-flows.ts";
import { http } from "./http.ts";
import { metadata } from "./metadata.ts";
import { secrets } from "./secrets.ts";
import { serverErrors } from "./server-errors.ts";
import { statedStatuses } from "./stated-statuses.ts";
import { staysUp } from "./stays-up.ts";

export const invariants: readonly Case[] = [
  staysUp,
  http,
  envelope,
  metadata,
  ...secrets,
  contradictions,
  foreignFlows,
  serverErrors,
  statedStatuses,
];
