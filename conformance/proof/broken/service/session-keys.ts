/** Section 1: session keys that are not compared as a whole. */
import { withFlows } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

export const sessionKeys: readonly Subject[] = subjectsOf<Subject>({
  "session-key-cut": {
    bug: "A session key is read up to its number; what follows is ignored.",
    kills: ["SESSION-KEY-LONGER"],
    change: withFlows((flows, others) => others(flows.sessionKey.replace(/(-[0-9a-f]{16})-.*$/, "$1"))),
  },
  "session-key-first-part": {
    bug: "A session key is read up to its first colon.",
    kills: ["SESSION-KEY-LAST-PART"],
    change: withFlows((flows, others) => others(flows.sessionKey.replace(/:.*$/, ""))),
  },
  "session-key-64-characters": {
    bug: "Of a session key 64 characters are kept.",
    kills: ["SESSION-KEY-LAST-PART"],
    change: withFlows((flows, others) => others(flows.sessionKey.slice(0, 64))),
  },
  "session-key-lower-case": {
    bug: "Session keys are turned into lower case before they are bound.",
    kills: ["SESSION-KEY-CAPITALS"],
    change: withFlows((flows, others) => others(flows.sessionKey.toLowerCase())),
  },
});
