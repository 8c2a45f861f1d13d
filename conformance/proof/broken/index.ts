/** The broken subjects, theme by theme. */
import type { Subject } from "../subject.ts";
import { actionsRefused } from "./endpoints/actions-refused.ts";
import { actions } from "./endpoints/actions.ts";
import { authentication } from "./authentication/authentication.ts";
import { beside } from "./beside.ts";
import { badConfiguration } from "./service/bad-configuration.ts";
import { bodyArrival } from "./endpoints/body-arrival.ts";
import { body } from "./endpoints/body.ts";
import { cancellation } from "./states/cancellation.ts";
import { anyState } from "./states/any-state.ts";
import { configuration } from "./service/configuration.ts";
import { creations } from "./resources/creations.ts";
import { credentials } from "./authentication/credentials.ts";
import { deep } from "./properties/deep.ts";
import { envelope } from "./resources/envelope.ts";
import { firstCheck } from "./endpoints/first-check.ts";
import { gapsFields } from "./endpoints/gaps-fields.ts";
import { gapsRefusals } from "./errors/gaps-refusals.ts";
import { gaps } from "./states/gaps.ts";
import { inFlight } from "./limits/in-flight.ts";
import { leakage } from "./resources/leakage.ts";
import { limitKeys } from "./limits/limit-keys.ts";
import { notStored } from "./errors/not-stored.ts";
import { oddBodies } from "./endpoints/odd-bodies.ts";
import { order } from "./endpoints/order.ts";
import { productHeader } from "./authentication/product-header.ts";
import { rateLimit } from "./limits/rate-limit.ts";
import { revisions } from "./states/revisions.ts";
import { secrets } from "./authentication/secrets.ts";
import { sessions } from "./service/sessions.ts";
import { simultaneous } from "./states/simultaneous.ts";
import { strangers } from "./service/strangers.ts";
import { subtleOfBehaviour, subtleOfRequests } from "./subtle.ts";
import { tasks } from "./endpoints/tasks.ts";

/** Faults in how requests are let in: the checks, their order, the envelope. */
export const ofRequests: readonly Subject[] = [
  ...rateLimit,
  ...inFlight,
  ...order,
  ...firstCheck,
  ...body,
  ...bodyArrival,
  ...envelope,
  ...subtleOfRequests,
  ...oddBodies,
  ...limitKeys,
];

/** Faults in what is configured, who is let in, and what is done. */
export const ofBehaviour: readonly Subject[] = [
  ...configuration,
  ...badConfiguration,
  ...secrets,
  ...authentication,
  ...actions,
  ...actionsRefused,
  ...revisions,
  ...tasks,
  ...cancellation,
  ...sessions,
  ...strangers,
  ...simultaneous,
  ...leakage,
  ...gaps,
  ...gapsRefusals,
  ...subtleOfBehaviour,
  ...credentials,
  ...anyState,
  ...gapsFields,
  ...creations,
  ...productHeader,
  ...notStored,
];

export const broken: readonly Subject[] = [...ofRequests, ...ofBehaviour, ...deep].map((subject) => {
  const more = beside[subject.id];
  if (more === undefined) return subject;
  const own = subject.alsoFails ?? [];
  return { ...subject, alsoFails: own === "any" || more === "any" ? "any" : [...own, ...more] };
});
