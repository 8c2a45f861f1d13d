/** The broken subjects, in folders and files named like those of the cases that find them. */
import type { Subject } from "../subject.ts";
import { authentication } from "./authentication/authentication.ts";
import { secrets } from "./authentication/secrets.ts";
import { actions } from "./endpoints/actions.ts";
import { body } from "./endpoints/body.ts";
import { fields } from "./endpoints/fields.ts";
import { framing } from "./endpoints/framing.ts";
import { order } from "./endpoints/order.ts";
import { inFlight } from "./limits/in-flight.ts";
import { limitKeys } from "./limits/limit-keys.ts";
import { rateWindow } from "./limits/rate-window.ts";
import { chosenProducts } from "./products.ts";
import { histories } from "./properties/histories.ts";
import { creations } from "./resources/creations.ts";
import { envelope } from "./resources/envelope.ts";
import { leakage } from "./resources/leakage.ts";
import { badConfiguration } from "./service/bad-configuration.ts";
import { configuration } from "./service/configuration.ts";
import { sessions } from "./service/sessions.ts";
import { changes } from "./states/changes.ts";
import { data } from "./states/data.ts";
import { gaps } from "./states/gaps.ts";

export const broken: readonly Subject[] = [
  // How requests are let in: the checks, their order, the envelope.
  ...envelope,
  ...order,
  ...body,
  ...framing,
  ...rateWindow,
  ...inFlight,
  ...limitKeys,
  // What is configured, who is let in, and what is done.
  ...configuration,
  ...badConfiguration,
  ...sessions,
  ...creations,
  ...leakage,
  ...changes,
  ...data,
  ...gaps,
  ...actions,
  ...fields,
  ...authentication,
  ...secrets,
  // What the properties alone find.
  ...histories,
  ...chosenProducts,
];
