/** Section 1: sessions that a field of the body names, and session keys that are not compared as a whole. */
import type { Exchange } from "../../../../plugin/contract.ts";
import type { BoundFlows, Json } from "../../../../plugin/ports.ts";
import { perStart, together, withFlows, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** A field of the body may name a session: `choose` says in which one the request is carried out. */
const inSession = (
  field: string,
  choose: (
    named: Json | undefined,
    exchange: Exchange,
    bind: (sessionKey: string) => BoundFlows,
  ) => BoundFlows | undefined,
): Change =>
  perStart(() => {
    let bind: (sessionKey: string) => BoundFlows;
    return together(
      withFlows((_flows, others) => {
        bind = others;
        return {};
      }),
      withStage("action", (exchange, right) => {
        const { [field]: named, ...body } = exchange.body ?? {};
        const { context } = exchange;
        const flows = choose(named, exchange, bind) ?? context.flows;
        return right({ ...exchange, body, context: { ...context, flows } });
      }),
    );
  });

/** Fields that may name a session, and the actions that are then carried out there. */
const named = [
  ["sessionKey", "set_waiting"],
  ["session", "list_flows"],
  ["requesterSessionKey", "create_flow"],
] as const;

/** The session that a field of set_waiting names owns the flow from then on. */
const changesHands = perStart(() => {
  const moved = new Map<unknown, { from: string; to: string }>();
  return inSession("sessionKey", (to, { body, context }, bind) => {
    const { action, flowId } = body ?? {};
    const own = context.flows.sessionKey;
    const place = moved.get(flowId);
    if (action === "set_waiting" && typeof to === "string") moved.set(flowId, { from: own, to });
    return place && bind(place.to === own ? place.from : "nobody's");
  });
});

/** What a session key becomes before it is bound. */
const bound = (as: (key: string) => string): Change => withFlows((flows, others) => others(as(flows.sessionKey)));

export const sessionKeys: readonly Subject[] = [
  ...failing("SESSION-KEY-LONGER", bound, {
    "A session key is read up to its number; what follows is ignored": (key) =>
      key.replace(/(-[0-9a-f]{16})-.*$/, "$1"),
    "Session keys are told apart by what stands behind their last colon": (key) => key.slice(key.lastIndexOf(":") + 1),
    "Session keys are told apart by their letters and digits": (key) => key.replaceAll(/[^a-z0-9]/gi, "-"),
  }),
  ...failing("SESSION-KEY-LAST-PART", bound, { "Of a session key 64 characters are kept": (key) => key.slice(0, 64) }),
  ...failing("SESSION-KEY-CAPITALS", bound, {
    "Session keys are turned into lower case before they are bound": (key) => key.toLowerCase(),
  }),
  ...failing("SESSION-KEY-UNICODE", bound, {
    "Session keys are brought into one Unicode form before they are bound": (key) => key.normalize("NFC"),
  }),
];

export const sessionFields: readonly Subject[] = [
  ...named.flatMap(([field, action]) =>
    failing("SESSION-NAMED-IN-BODY", {
      [`The field ${field} of a body may name the session of a ${action}`]: inSession(
        field,
        (sessionKey, { body }, bind) =>
          typeof sessionKey === "string" && body?.["action"] === action ? bind(sessionKey) : undefined,
      ),
    }),
  ),
  ...failing("SESSION-NAMED-IN-OWN-CHANGE", {
    "set_waiting puts the flow into the session that its field sessionKey names": changesHands,
  }),
];
