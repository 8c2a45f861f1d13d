/** The broken subjects, in folders and files named like those of the cases that find them. */
import type { Subject } from "../subject.ts";
import { changedConfiguration } from "./service/changed-configuration.ts";
import { configuration } from "./service/configuration.ts";
import { badConfiguration } from "./service/bad-configuration.ts";
import { fieldPairs } from "./service/field-pairs.ts";
import { foreign } from "./service/foreign.ts";
import { routeIds } from "./service/route-ids.ts";
import { sessions } from "./service/sessions.ts";
import { sessionFields, sessionKeys } from "./service/session-fields.ts";
import { creations, goals } from "./resources/creations.ts";
import { envelope } from "./resources/envelope.ts";
import { leakage } from "./resources/leakage.ts";
import { changes } from "./states/changes.ts";
import { pairs } from "./states/pairs.ts";
import { revisions } from "./states/revisions.ts";
import { leftToRuntime } from "./states/left-to-runtime.ts";
import { statesWrittenLate } from "./states/late-writes.ts";
import { cancellation } from "./states/cancellation.ts";
import { gapsActions } from "./states/gaps-actions.ts";
import { methods } from "./endpoints/methods.ts";
import { contentTypes } from "./endpoints/content-types.ts";
import { nearNames } from "./endpoints/near-names.ts";
import { nearValues } from "./endpoints/near-values.ts";
import { order } from "./endpoints/order.ts";
import { body } from "./endpoints/body.ts";
import { bodyReading } from "./endpoints/body-reading.ts";
import { actions } from "./endpoints/actions.ts";
import { runTask } from "./endpoints/run-task.ts";
import { authentication } from "./authentication/authentication.ts";
import { accepted } from "./authentication/accepted.ts";
import { secrets } from "./authentication/secrets.ts";
import { gapsRefusals } from "./errors/gaps-refusals.ts";
import { refusedAgain } from "./errors/refused-again.ts";
import { rateWindow } from "./limits/rate-window.ts";
import { inFlight } from "./limits/in-flight.ts";
import { limitKeys } from "./limits/limit-keys.ts";
import { trackedKeys } from "./limits/tracked-keys.ts";
import { sweep } from "./limits/sweep.ts";
import { invariants } from "./invariants.ts";
import { deepLimits } from "./properties/deep-limits.ts";
import { deepRaces } from "./properties/deep-races.ts";
import { chosenProducts } from "./products.ts";

export const broken: readonly Subject[] = [
  // How requests are let in: the checks, their order, the envelope.
  ...envelope,
  ...methods,
  ...contentTypes,
  ...order,
  ...body,
  ...bodyReading,
  // The limits.
  ...rateWindow,
  ...inFlight,
  ...limitKeys,
  ...trackedKeys,
  ...sweep,
  // What is configured, who is let in, and what is done.
  ...configuration,
  ...changedConfiguration,
  ...badConfiguration,
  ...routeIds,
  ...sessions,
  ...sessionKeys,
  ...sessionFields,
  ...fieldPairs,
  ...foreign,
  ...creations,
  ...goals,
  ...leakage,
  ...changes,
  ...revisions,
  ...pairs,
  ...leftToRuntime,
  ...cancellation,
  ...statesWrittenLate,
  ...gapsActions,
  ...actions,
  ...runTask,
  ...nearNames,
  ...nearValues,
  ...authentication,
  ...accepted,
  ...secrets,
  ...gapsRefusals,
  ...refusedAgain,
  ...invariants,
  // What the properties alone find.
  ...deepLimits,
  ...deepRaces,
  ...chosenProducts,
];
