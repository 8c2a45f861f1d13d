/** Section 1: sessions that a field of the body names, and session keys that are not compared as a whole. */
import type { BoundFlows } from "../../../../plugin/ports.ts";
import { withFlows, withRequest, together, perStart } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Some calls work on the session that a field of the body names. */
const fromBody = (field: string, calls: readonly (keyof BoundFlows)[]): Change =>
  perStart(() => {
    let other: string | undefined;
    return together(
      withFlows((flows, others) => {
        const there = (call: keyof BoundFlows, input: unknown) =>
          ((other === undefined ? flows : others(other))[call] as (input: unknown) => unknown)(input);
        return Object.fromEntries(calls.map((call) => [call, (input: unknown) => there(call, input)]));
      }),
      withRequest(({ [field]: sessionKey, ...rest }) => {
        other = typeof sessionKey === "string" ? sessionKey : undefined;
        return rest;
      }),
    );
  });

/** Fields that may name a session, and the calls that then go there. */
const named = [
  ["sessionKey", ["get", "setWaiting"]],
  ["session", ["list"]],
  ["requesterSessionKey", ["tryCreateManaged"]],
] as const;

/** The session that a field of set_waiting names owns the flow from then on. */
const changesHands = perStart(() => {
  const moved = new Map<string, { from: string; to: string }>();
  return together(
    withFlows((flows, others) => {
      const at = (flowId: string): BoundFlows => {
        const place = moved.get(flowId);
        if (place?.to === flows.sessionKey) return others(place.from);
        return place?.from === flows.sessionKey ? others("nobody's") : flows;
      };
      return { get: (flowId) => at(flowId).get(flowId), finish: (input) => at(input.flowId).finish(input) };
    }),
    withRequest(({ sessionKey, ...body }, { flows }) => {
      const { flowId } = body;
      if (body["action"] === "set_waiting" && typeof sessionKey === "string" && typeof flowId === "string") {
        queueMicrotask(() => setImmediate(() => moved.set(flowId, { from: flows.sessionKey, to: sessionKey })));
      }
      return body;
    }),
  );
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
  ...named.flatMap(([field, calls]) =>
    failing("SESSION-NAMED-IN-BODY", {
      [`The field ${field} of a body may name the session that ${calls.join(" and ")} work on`]: fromBody(field, calls),
    }),
  ),
  ...failing("SESSION-NAMED-IN-OWN-CHANGE", {
    "set_waiting puts the flow into the session that its field sessionKey names": changesHands,
  }),
];
