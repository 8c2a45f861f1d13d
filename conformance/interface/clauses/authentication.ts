import { clauses } from "./clause.ts";

/** Section 5: the shared secret and where it comes from. */
export const authentication = clauses({
  "AUTH-BEARER": { section: 5, level: "must", text: "The secret in `Authorization: Bearer` lets a request in." },
  "AUTH-PRODUCT-HEADER": {
    section: 5,
    level: "must",
    text: "The secret in `x-<product>-webhook-secret` lets a request in.",
  },
  "AUTH-REQUIRED": { section: 5, level: "must", text: "A request without the route's own secret gets 401." },
  "SECRET-PLAIN": { section: 5, level: "must", text: "A secret may be a plain string in the route's configuration." },
  "SECRET-ENV": { section: 5, level: "must", text: "A SecretRef of source env resolves." },
  "SECRET-FILE": { section: 5, level: "must", text: "A SecretRef of source file resolves." },
  "SECRET-EXEC": { section: 5, level: "must", text: "A SecretRef of source exec resolves." },
  "SECRET-STORE": { section: 5, level: "must", text: "A SecretRef of source store resolves." },
  "SECRET-SNAPSHOT": {
    section: 5,
    level: "must",
    text: "SecretRefs are resolved at start-up, never while a request is handled.",
  },
  "COLD-ROUTE": {
    section: 5,
    level: "must",
    text: "A route whose secret could not be resolved stays registered and answers every request with a generic 401.",
  },
  "COLD-OTHERS": {
    section: 5,
    level: "must",
    text: "Other routes are unaffected by one whose secret could not be resolved.",
  },
  "COLD-RESTART": { section: 5, level: "must", text: "A corrected source is activated by a reload or restart." },
  "AUTH-CODE": {
    section: 5,
    level: "gap",
    text: "The code and challenge of an authentication failure, and which header wins.",
  },
});
