/** The broken subjects, theme by theme. */
import type { Subject } from "../subject.ts";
import { body } from "./body.ts";
import { envelope } from "./envelope.ts";
import { inFlight } from "./in-flight.ts";
import { order } from "./order.ts";
import { rateLimit } from "./rate-limit.ts";

export const broken: readonly Subject[] = [...rateLimit, ...inFlight, ...order, ...body, ...envelope];
