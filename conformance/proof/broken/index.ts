/** The broken subjects, in folders and files named like those of the cases that find them. */
import type { Subject } from "../subject.ts";
import { changedConfiguration } from "./service/changed-configuration.ts";
import { configuration } from "./service/configuration.ts";
import { badConfiguration } from "./service/bad-configuration.ts";
import { foreign } from "./service/foreign.ts";
import { routeIds } from "./service/route-ids.ts";
import { sessions } from "./service/sessions.ts";
import { creations } from "./resources/creations.ts";
import { envelope } from "./resources/envelope.ts";
import { leakage } from "./resources/leakage.ts";
import { changes } from "./states/changes.ts";
import { gaps } from "./states/gaps.ts";
import { races } from "./properties/races.ts";
import { met } from "./states/met.ts";
import { leftToRuntime } from "./states/left-to-runtime.ts";
import { cancellation } from "./states/cancellation.ts";
import { nearNames } from "./endpoints/near-names.ts";
import { nearValues } from "./endpoints/near-values.ts";
import { order } from "./endpoints/order.ts";
import { body } from "./endpoints/body.ts";
import { methods } from "./endpoints/methods.ts";
import { bodyReading } from "./endpoints/body-reading.ts";
import { actions } from "./endpoints/actions.ts";
import { runTask } from "./endpoints/run-task.ts";
import { authentication } from "./authentication/authentication.ts";
import { secrets } from "./authentication/secrets.ts";
import { refusedAgain } from "./errors/refused-again.ts";
import { histories } from "./properties/histories.ts";
import { rateWindow } from "./limits/rate-window.ts";
import { inFlight } from "./limits/in-flight.ts";
import { limitKeys } from "./limits/limit-keys.ts";
import { sweep } from "./limits/sweep.ts";
import { chosenProducts } from "./products.ts";

export const broken: readonly Subject[] = [
  // How requests are let in: the checks, their order, the envelope.
  ...envelope,
  ...methods,
  ...order,
  ...body,
  ...bodyReading,
  // The limits.
  ...rateWindow,
  ...inFlight,
  ...limitKeys,
  ...sweep,
  // What is configured, who is let in, and what is done.
  ...configuration,
  ...changedConfiguration,
  ...badConfiguration,
  ...routeIds,
  ...sessions,
  ...foreign,
  ...creations,
  ...leakage,
  ...changes,
  ...met,
  ...leftToRuntime,
  ...cancellation,
  ...gaps,
  ...actions,
  ...runTask,
  ...nearNames,
  ...nearValues,
  ...authentication,
  ...secrets,
  ...refusedAgain,
  // What the properties alone find.
  ...histories,
  ...races,
  ...chosenProducts,
];
