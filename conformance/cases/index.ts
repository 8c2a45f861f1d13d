/** The catalogue: every case of the suite, theme by theme. */
import type { Case } from "../case.ts";
import { anyStateCases } from "./any-state.ts";
import { badConfigurationCases } from "./bad-configuration.ts";
import { bodyArrivalCases } from "./body-arrival.ts";
import { bodyCases } from "./body.ts";
import { connectionCases } from "./connection.ts";
import { creationCases } from "./creations.ts";
import { credentialCases } from "./credentials.ts";
import { envelopeCases } from "./envelope.ts";
import { envelopeOfOddRequests } from "./envelope-of-odd-requests.ts";
import { envelopeOfStates } from "./envelope-of-states.ts";
import { flowIdCases } from "./flow-ids.ts";
import { inFlightFreedCases } from "./in-flight-freed.ts";
import { inFlightCases } from "./in-flight.ts";
import { inFlightWindowCases } from "./in-flight-windows.ts";
import { orderCases } from "./order.ts";
import { rateLimitCases } from "./rate-limit.ts";
import { trackedKeysCases } from "./tracked-keys.ts";
import { rateWindowCases } from "./rate-window.ts";
import { actionCases } from "./actions.ts";
import { authenticationCases } from "./authentication.ts";
import { cancellationCases } from "./cancellation.ts";
import { configurationCases } from "./configuration.ts";
import { gapActionCases } from "./gaps-actions.ts";
import { gapFieldCases } from "./gaps-fields.ts";
import { gapRefusalCases } from "./gaps-refusals.ts";
import { methodCases } from "./methods.ts";
import { leakageCases } from "./leakage.ts";
import { leakageOfStates } from "./leakage-of-states.ts";
import { limitKeyCases } from "./limit-keys.ts";
import { notStoredCases } from "./not-stored.ts";
import { oddBodyCases } from "./odd-bodies.ts";
import { productHeaderCases } from "./product-header.ts";
import { revisionCases } from "./revisions.ts";
import { routeIdCases } from "./route-ids.ts";
import { runTaskCases } from "./run-task.ts";
import { coldSourceCases } from "./cold-sources.ts";
import { secretCases } from "./secrets.ts";
import { propertyCases } from "../properties/index.ts";
import { defaultDepth, type Depth } from "../properties/search.ts";
import { sessionFieldCases } from "./session-fields.ts";
import { sessionKeyCases } from "./session-keys.ts";
import { sessionCases } from "./sessions.ts";
import { simultaneousCases } from "./simultaneous.ts";
import { strangerCases } from "./strangers.ts";
import { timeEdgeCases } from "./time-edges.ts";

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

/** The whole suite, its properties as deep as `depth` says. */
export const casesAt = (depth: Depth): readonly Case[] => [...examples, ...propertyCases(depth)];

export const cases: readonly Case[] = casesAt(defaultDepth);
