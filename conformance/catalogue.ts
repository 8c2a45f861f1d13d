/** The catalogue: every case of the suite, theme by theme. The limits come first: they want keys that nobody has used. */
import { credentialCases } from "./cases/authentication/credentials.ts";
import { secretRowCases } from "./cases/authentication/secret-rows.ts";
import { secretCases } from "./cases/authentication/secrets.ts";
import { bodyCases } from "./cases/endpoints/bodies.ts";
import { bodyNameCases } from "./cases/endpoints/body-names.ts";
import { bodyShapeCases, jsonCases } from "./cases/endpoints/body-shapes.ts";
import { bodySizeCases } from "./cases/endpoints/body-size.ts";
import { bodyTimeCases } from "./cases/endpoints/body-time.ts";
import { fieldNameCases } from "./cases/endpoints/field-names.ts";
import { fieldValueCases } from "./cases/endpoints/field-values.ts";
import { framingCases } from "./cases/endpoints/framing.ts";
import { gapFieldCases } from "./cases/endpoints/gaps-fields.ts";
import { methodCases } from "./cases/endpoints/methods.ts";
import { orderCases } from "./cases/endpoints/order.ts";
import { pathCases } from "./cases/endpoints/paths.ts";
import { requestRowCases } from "./cases/endpoints/request-rows.ts";
import { runTaskCases } from "./cases/endpoints/run-task.ts";
import { gapRefusalCases } from "./cases/errors/gaps-refusals.ts";
import { notStoredCases } from "./cases/errors/not-stored.ts";
import { refusedCases } from "./cases/errors/refused.ts";
import { heldRowCases } from "./cases/limits/held-rows.ts";
import { inFlightFreedCases, limitsProperty } from "./cases/limits/in-flight-freed.ts";
import { inFlightCases } from "./cases/limits/in-flight.ts";
import { clientCases, limitKeyCases } from "./cases/limits/keys.ts";
import { rateLimitCases, rateWindowCases } from "./cases/limits/rate-limit.ts";
import { rateRowCases } from "./cases/limits/rate-rows.ts";
import { trackedKeysCases } from "./cases/limits/tracked-keys.ts";
import { creationCases } from "./cases/resources/creations.ts";
import { envelopeCases } from "./cases/resources/envelope.ts";
import { logCases } from "./cases/resources/log.ts";
import { badConfigurationCases } from "./cases/service/bad-configuration.ts";
import { changedConfigurationCases } from "./cases/service/changed-configuration.ts";
import { foreignRows } from "./cases/service/foreign-rows.ts";
import { routeCases } from "./cases/service/routes.ts";
import { sessionCases } from "./cases/service/sessions.ts";
import { cancellationCases } from "./cases/states/cancellation.ts";
import { gapActionCases } from "./cases/states/gaps-actions.ts";
import { revisionRows } from "./cases/states/revision-rows.ts";
import { stateRows } from "./cases/states/rows.ts";
import { simultaneousCases } from "./cases/states/simultaneous.ts";
import type { Case } from "./harness/case.ts";
import { invariants } from "./invariants/index.ts";
import { propertyCases } from "./properties/index.ts";

/** Cases that follow an example each. */
const examples: readonly Case[] = [
  ...rateLimitCases,
  ...limitKeyCases,
  ...rateRowCases,
  ...trackedKeysCases,
  ...rateWindowCases,
  ...heldRowCases,
  ...inFlightCases,
  ...inFlightFreedCases,
  ...clientCases,
  ...orderCases,
  ...methodCases,
  ...requestRowCases,
  ...pathCases,
  ...bodyCases,
  ...framingCases,
  ...bodySizeCases,
  ...bodyTimeCases,
  ...bodyShapeCases,
  ...bodyNameCases,
  ...jsonCases,
  ...fieldNameCases,
  ...fieldValueCases,
  ...gapFieldCases,
  ...runTaskCases,
  ...envelopeCases,
  ...creationCases,
  ...logCases,
  ...credentialCases,
  ...secretRowCases,
  ...secretCases,
  ...routeCases,
  ...badConfigurationCases,
  ...changedConfigurationCases,
  ...foreignRows,
  ...stateRows,
  ...revisionRows,
  ...simultaneousCases,
  ...cancellationCases,
  ...gapActionCases,
  ...gapRefusalCases,
  ...notStoredCases,
  ...refusedCases,
  ...sessionCases,
];

/** The whole suite, with stories drawn from this seed. */
export const casesAt = (seed: number): readonly Case[] => [
  ...examples,
  ...invariants,
  ...propertyCases(seed),
  limitsProperty(seed),
];

export const cases: readonly Case[] = casesAt(1);
