/** The broken subjects, theme by theme. */
import type { Subject } from "../subject.ts";
import { actionsRefused } from "./actions-refused.ts";
import { actions } from "./actions.ts";
import { authentication } from "./authentication.ts";
import { beside } from "./beside.ts";
import { badConfiguration } from "./bad-configuration.ts";
import { bodyArrival } from "./body-arrival.ts";
import { body } from "./body.ts";
import { cancellation } from "./cancellation.ts";
import { anyState } from "./any-state.ts";
import { configuration } from "./configuration.ts";
import { creations } from "./creations.ts";
import { credentials } from "./credentials.ts";
import { deep } from "./deep.ts";
import { envelope } from "./envelope.ts";
import { firstCheck } from "./first-check.ts";
import { gapsFields } from "./gaps-fields.ts";
import { gapsRefusals } from "./gaps-refusals.ts";
import { gaps } from "./gaps.ts";
import { inFlight } from "./in-flight.ts";
import { leakage } from "./leakage.ts";
import { limitKeys } from "./limit-keys.ts";
import { notStored } from "./not-stored.ts";
import { oddBodies } from "./odd-bodies.ts";
import { order } from "./order.ts";
import { productHeader } from "./product-header.ts";
import { rateLimit } from "./rate-limit.ts";
import { revisions } from "./revisions.ts";
import { secrets } from "./secrets.ts";
import { sessions } from "./sessions.ts";
import { simultaneous } from "./simultaneous.ts";
import { strangers } from "./strangers.ts";
import { subtleOfBehaviour, subtleOfRequests } from "./subtle.ts";
import { tasks } from "./tasks.ts";

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
