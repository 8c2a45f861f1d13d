/** The catalogue: every case of the suite, theme by theme. */
import type { Case } from "./harness/case.ts";
import { anyStateCases } from "./cases/states/any-state.ts";
import { badConfigurationCases } from "./cases/service/bad-configuration.ts";
import { bodyArrivalCases } from "./cases/endpoints/body-arrival.ts";
import { bodyCases } from "./cases/endpoints/body.ts";
import { connectionCases } from "./cases/resources/connection.ts";
import { creationCases } from "./cases/resources/creations.ts";
import { credentialCases } from "./cases/authentication/credentials.ts";
import { envelopeCases } from "./cases/resources/envelope.ts";
import { envelopeOfOddRequests } from "./cases/resources/envelope-of-odd-requests.ts";
import { envelopeOfStates } from "./cases/resources/envelope-of-states.ts";
import { flowIdCases } from "./cases/errors/flow-ids.ts";
import { inFlightFreedCases } from "./cases/limits/in-flight-freed.ts";
import { inFlightCases } from "./cases/limits/in-flight.ts";
import { inFlightWindowCases } from "./cases/limits/in-flight-windows.ts";
import { orderCases } from "./cases/endpoints/order.ts";
import { rateLimitCases } from "./cases/limits/rate-limit.ts";
import { trackedKeysCases } from "./cases/limits/tracked-keys.ts";
import { rateWindowCases } from "./cases/limits/rate-window.ts";
import { actionCases } from "./cases/endpoints/actions.ts";
import { authenticationCases } from "./cases/authentication/authentication.ts";
import { cancellationCases } from "./cases/states/cancellation.ts";
import { configurationCases } from "./cases/service/configuration.ts";
import { gapActionCases } from "./cases/states/gaps-actions.ts";
import { gapFieldCases } from "./cases/endpoints/gaps-fields.ts";
import { gapRefusalCases } from "./cases/errors/gaps-refusals.ts";
import { methodCases } from "./cases/endpoints/methods.ts";
import { leakageCases } from "./cases/resources/leakage.ts";
import { leakageOfStates } from "./cases/resources/leakage-of-states.ts";
import { limitKeyCases } from "./cases/limits/limit-keys.ts";
import { notStoredCases } from "./cases/errors/not-stored.ts";
import { oddBodyCases } from "./cases/endpoints/odd-bodies.ts";
import { productHeaderCases } from "./cases/authentication/product-header.ts";
import { revisionCases } from "./cases/states/revisions.ts";
import { routeIdCases } from "./cases/service/route-ids.ts";
import { runTaskCases } from "./cases/endpoints/run-task.ts";
import { coldSourceCases } from "./cases/authentication/cold-sources.ts";
import { secretCases } from "./cases/authentication/secrets.ts";
import { propertyCases } from "./properties/index.ts";
import { defaultDepth, type Depth } from "./properties/search.ts";
import { sessionFieldCases } from "./cases/service/session-fields.ts";
import { sessionKeyCases } from "./cases/service/session-keys.ts";
import { sessionCases } from "./cases/service/sessions.ts";
import { simultaneousCases } from "./cases/states/simultaneous.ts";
import { strangerCases } from "./cases/service/strangers.ts";
import { timeEdgeCases } from "./cases/limits/time-edges.ts";

/** Cases that follow an example each. */
const examples: readonly Case[] = [
  ...rateLimitCases,
  ...trackedKeysCases,
  ...rateWindowCases,
  ...inFlightCases,
  ...inFlightFreedCases,
  ...orderCases,
  ...methodCases,
  ...bodyCases,
  ...bodyArrivalCases,
  ...envelopeCases,
  ...actionCases,
  ...authenticationCases,
  ...cancellationCases,
  ...configurationCases,
  ...routeIdCases,
  ...gapActionCases,
  ...gapRefusalCases,
  ...leakageCases,
  ...leakageOfStates,
  ...revisionCases,
  ...runTaskCases,
  ...secretCases,
  ...coldSourceCases,
  ...sessionCases,
  ...sessionFieldCases,
  ...sessionKeyCases,
  ...timeEdgeCases,
  ...credentialCases,
  ...oddBodyCases,
  ...connectionCases,
  ...badConfigurationCases,
  ...anyStateCases,
  ...gapFieldCases,
  ...creationCases,
  ...limitKeyCases,
  ...productHeaderCases,
  ...envelopeOfStates,
  ...envelopeOfOddRequests,
  ...strangerCases,
  ...simultaneousCases,
  ...notStoredCases,
  ...flowIdCases,
  ...inFlightWindowCases,
];

/** The whole suite, with properties of this depth. */
export const casesAt = (depth: Depth): readonly Case[] => [...examples, ...propertyCases(depth)];

export const cases: readonly Case[] = casesAt(defaultDepth);
