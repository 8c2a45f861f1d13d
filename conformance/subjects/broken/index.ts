/** The broken subjects, theme by theme. */
import type { Subject } from "../subject.ts";
import { actionsRefused } from "./actions-refused.ts";
import { actions } from "./actions.ts";
import { authentication } from "./authentication.ts";
import { beside } from "./beside.ts";
import { body } from "./body.ts";
import { cancellation } from "./cancellation.ts";
import { configuration } from "./configuration.ts";
import { envelope } from "./envelope.ts";
import { gaps } from "./gaps.ts";
import { inFlight } from "./in-flight.ts";
import { leakage } from "./leakage.ts";
import { order } from "./order.ts";
import { rateLimit } from "./rate-limit.ts";
import { revisions } from "./revisions.ts";
import { secrets } from "./secrets.ts";
import { sessions } from "./sessions.ts";
import { tasks } from "./tasks.ts";

export const themes = {
  rateLimit,
  inFlight,
  order,
  body,
  envelope,
  configuration,
  secrets,
  authentication,
  actions,
  actionsRefused,
  revisions,
  tasks,
  cancellation,
  sessions,
  leakage,
  gaps,
} as const satisfies Record<string, readonly Subject[]>;

export const broken: readonly Subject[] = Object.values(themes).flatMap((subjects) =>
  subjects.map((subject) => {
    const alsoFails = beside[subject.id];
    return alsoFails === undefined ? subject : { ...subject, alsoFails };
  }),
);
