import type { Stage } from "../contract.ts";
import { action } from "./action.ts";
import { authentication } from "./authentication.ts";
import { body } from "./body.ts";
import { contentType } from "./content-type.ts";
import { inFlight } from "./in-flight.ts";
import { method } from "./method.ts";
import { rateLimit } from "./rate-limit.ts";

/** The order of section 4, in which a request that fails one check never reaches the later ones. */
export const stages: readonly Stage[] = [method, contentType, rateLimit, inFlight, authentication, body, action];
