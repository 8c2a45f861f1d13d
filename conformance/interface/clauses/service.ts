import { clauses } from "./clause.ts";

/** Section 1: what the service does, and its configuration. */
export const service = clauses({
  "SERVICE-HOSTED": {
    section: 1,
    level: "must",
    text: "The service is a plugin inside a gateway process, installed on that host; a change of it takes a gateway restart.",
    excluded: "How a gateway installs its plugins cannot be seen over HTTP.",
  },
  "SERVICE-NO-ROUTES": { section: 1, level: "must", text: "Without a configured route the plugin does nothing." },
  "SERVICE-ROUTE": { section: 1, level: "must", text: "Each configured route entry is exposed as one HTTP route." },
  "SESSION-BOUND": { section: 1, level: "must", text: "A route sees and changes only TaskFlows of its bound session." },
  "SESSION-WHOLE": {
    section: 1,
    level: "must",
    text: "Within its session a route may inspect and mutate any TaskFlow.",
  },
  "SESSION-BIND-CALL": {
    section: 1,
    level: "must",
    text: "All TaskFlow access goes through the runtime's bindSession call.",
    excluded: "The call itself is internal; its effect is judged by SESSION-BOUND and SESSION-WHOLE.",
  },
  "NO-METADATA": {
    section: 1,
    level: "must",
    text: "No response contains owner or session metadata; the bound session key cannot leak.",
  },
  "CONFIG-ENTRY-ENABLED": {
    section: 1,
    level: "must",
    text: "The plugin entry's own `enabled: false` turns the plugin off.",
  },
  "CONFIG-ENABLED": { section: 1, level: "must", text: "A route is enabled by default; `enabled: false` disables it." },
  "CONFIG-PATH-DEFAULT": {
    section: 1,
    level: "must",
    text: "A route's path is `/plugins/webhooks/<routeId>` unless it is configured.",
  },
  "CONFIG-PATH-UNIQUE": { section: 1, level: "must", text: "Paths are unique across routes." },
  "CONFIG-SESSION-KEY": { section: 1, level: "must", text: "A route entry needs a sessionKey." },
  "CONFIG-SECRET": { section: 1, level: "must", text: "A route entry needs a secret." },
  "CONFIG-CONTROLLER": {
    section: 1,
    level: "must",
    text: "Flows created through a route get its controllerId, `webhooks/<routeId>` by default.",
  },
  "CONFIG-DESCRIPTION": { section: 1, level: "must", text: "A route's description has no effect at run time." },
  "SECRETREF-FIELDS": {
    section: 1,
    level: "must",
    text: "A SecretRef has source (env, file, exec, store), provider and id.",
  },
  "OPERATOR-GUIDANCE": {
    section: 1,
    level: "should",
    text: "Strong, unique secrets; SecretRefs; narrow sessions; only the paths needed.",
    excluded: "Advice to the operator, not behaviour of the plugin.",
  },
});
