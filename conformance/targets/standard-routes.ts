/**
 * The standard configuration: the routes that every target is judged with. One documented list, so that an
 * implementation in any language loads it once and needs no adapter.
 */

/** Where a route's secret comes from; `cold` is an `env` reference that nothing resolves. */
type SecretSource = "inline" | "env" | "file" | "exec" | "store" | "cold";

export type Likeness = "longer" | "other-front" | "other-signs" | "capitals" | "part-one" | "part-two";

export interface StandardRoute {
  readonly id: string;
  /** Written into the configuration only where it is given; else the default `/plugins/webhooks/<id>` holds. */
  readonly path?: string;
  /** A short name; `config.sessionKey` of the target file makes the session key from it. */
  readonly session: string;
  /** How its session key resembles that of `session`; the sessions are different. */
  readonly likeness?: Likeness;
  readonly secret: SecretSource;
  /** The secret has every kind of character that Bearer credentials may have (RFC 6750, 2.1), as base64 has. */
  readonly allCharacters?: true;
  /** The id of the route whose secret it has as well. */
  readonly secretOf?: string;
  /** A text within the secret. */
  readonly secretWith?: string;
  readonly enabled?: boolean;
  readonly controllerId?: string;
  readonly description?: string;
  /** An empty or blank secret, inline or in its variable. */
  readonly holds?: string;
  /** Its configuration was changed: the secret of its id is another one. */
  readonly changed?: true;
  /** Fields as they are written in place of its own, right or wrong; one that is undefined is left out. */
  readonly written?: Readonly<Record<string, unknown>>;
  /** Its source holds nothing for it. */
  readonly missing?: true;
  /** The id of its SecretRef in a file, a command or a store; its own by default. */
  readonly refId?: string;
}

/** A lane: a route, one that shares its session, and one of another session. Cases side by side use different lanes. */
export interface Lane {
  readonly route: string;
  readonly sibling: string;
  readonly stranger: string;
}

const LANE_COUNT = 12;

export const lanes: readonly Lane[] = Array.from({ length: LANE_COUNT }, (_, index) => {
  const id = `lane-${String(index + 1).padStart(2, "0")}`;
  return { route: id, sibling: `${id}-sibling`, stranger: `${id}-stranger` };
});

/** What is in descriptions, and in no answer. */
export const operatorNote = "an operator's note";

const laneRoutes: readonly StandardRoute[] = lanes.flatMap((lane) => [
  { id: lane.route, session: lane.route, secret: "env" },
  // With every field that a route may have: what holds at one kind of route holds at the other. Its path ends as the first
  // one's does: whoever looks at the last segment alone takes one for the other.
  {
    id: lane.sibling,
    path: `/hooks/sibling/${lane.route}`,
    session: lane.route,
    secret: "inline",
    enabled: true,
    controllerId: `conformance/${lane.route}`,
    description: operatorNote,
  },
  { id: lane.stranger, session: lane.stranger, secret: "env" },
]);

/** Routes of sessions whose keys are alike; what else is configured is the same. */
const alike = { session: "alike", secret: "env", controllerId: "conformance/alike" } as const;

/** One id in each source, that of the probe's variable among them: whoever keeps values by their id mixes them up. */
const refId = "WEBHOOKS_SECRET_PROBE";

/** Routes with a part of their own, by the name that cases use. */
export const specialRoutes = {
  probe: { id: "probe", session: "probe", secret: "env" },
  /** The first of its session: the others are unaffected all the same. */
  cold: { id: "cold", session: "custom", secret: "cold" },
  customPath: { id: "custom-path", path: "/hooks/conformance", session: "custom", secret: "env" },
  /** With what careless code changes: capitals, dots, a tilde, a slash at the end. */
  nestedPath: { id: "nested-path", path: "/hooks/Nested/v1.0/~Conformance_2/", session: "custom", secret: "env" },
  oddId: { id: "Odd.Id_2", session: "custom", secret: "env" },
  customController: {
    id: "custom-controller",
    session: "custom",
    secret: "inline",
    enabled: true,
    controllerId: "conformance/own-controller",
  },
  explicitlyEnabled: { id: "explicitly-enabled", session: "custom", secret: "env", enabled: true },
  described: { id: "described", session: "custom", secret: "env", description: `enabled: false # ${operatorNote}` },
  /** Inline: of a reference a target need not look at what a disabled route has. */
  disabled: { id: "disabled", session: "custom", secret: "inline", enabled: false },
  coldPath: { id: "cold-path", path: "/hooks/cold", session: "custom", secret: "cold" },
  /** No case creates a flow in its session. */
  quiet: { id: "quiet", session: "quiet", secret: "env" },
  alike: { id: "alike", ...alike },
  alikeLonger: { id: "alike-longer", ...alike, likeness: "longer" },
  alikeFront: { id: "alike-front", ...alike, likeness: "other-front" },
  alikeSigns: { id: "alike-signs", ...alike, likeness: "other-signs" },
  alikeCapitals: { id: "alike-capitals", ...alike, likeness: "capitals" },
  alikePartOne: { id: "alike-part-one", ...alike, likeness: "part-one" },
  alikePartTwo: { id: "alike-part-two", ...alike, likeness: "part-two" },
  allCharacters: { id: "all-characters", session: "custom", secret: "inline", allCharacters: true },
  fileSecret: { id: "file-secret", session: "custom", secret: "file", refId },
  execSecret: { id: "exec-secret", session: "custom", secret: "exec", refId },
  storeSecret: { id: "store-secret", session: "custom", secret: "store", refId },
  coldFile: { id: "cold-file", session: "custom", secret: "file", missing: true },
  coldExec: { id: "cold-exec", session: "custom", secret: "exec", missing: true },
  coldStore: { id: "cold-store", session: "custom", secret: "store", missing: true },
} as const satisfies Record<string, StandardRoute>;

export type SpecialRoute = keyof typeof specialRoutes;

export const standardRoutes: readonly StandardRoute[] = [...Object.values(specialRoutes), ...laneRoutes];

/** The path at which a route answers. */
export function pathOf(route: StandardRoute): string {
  return route.path ?? `/plugins/webhooks/${route.id}`;
}
