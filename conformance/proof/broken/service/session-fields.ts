/** Section 1: sessions that a field of the body names, and session keys that are not compared as a whole. */
import type { BoundFlows } from "../../../../plugin/ports.ts";
import { withFlows, withRequest, both, perStart } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Some operations work on the session that a field of the body names. */
const fromBody = (name: string, change: (at: () => BoundFlows) => Partial<BoundFlows>): Change =>
  perStart(() => {
    let named: string | undefined;
    return both(
      withFlows((flows, others) => change(() => (named === undefined ? flows : others(named)))),
      withRequest(({ [name]: sessionKey, ...rest }) => {
        named = typeof sessionKey === "string" ? sessionKey : undefined;
        return rest;
      }),
    );
  });

/** The session that a field of set_waiting names owns the flow from then on. */
const changesHands = perStart(() => {
  const moved = new Map<string, { from: string; to: string }>();
  return both(
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
const boundAs: Readonly<Record<string, readonly [bug: string, kill: string, bound: (key: string) => string]>> = {
  "session-key-cut": [
    "A session key is read up to its number; what follows is ignored.",
    "SESSION-KEY-LONGER",
    (key) => key.replace(/(-[0-9a-f]{16})-.*$/, "$1"),
  ],
  "session-key-first-part": [
    "A session key is read up to its first colon.",
    "SESSION-KEY-LAST-PART",
    (key) => key.replace(/:.*$/, ""),
  ],
  "session-key-64-characters": [
    "Of a session key 64 characters are kept.",
    "SESSION-KEY-LAST-PART",
    (key) => key.slice(0, 64),
  ],
  "session-key-lower-case": [
    "Session keys are turned into lower case before they are bound.",
    "SESSION-KEY-CAPITALS",
    (key) => key.toLowerCase(),
  ],
  "session-key-normalised": [
    "Session keys are brought into one Unicode form before they are bound.",
    "SESSION-KEY-UNICODE",
    (key) => key.normalize("NFC"),
  ],
};

export const sessionKeys: readonly Subject[] = Object.entries(boundAs).map(([id, [bug, kill, bound]]) => {
  return { id, bug, kills: [kill], change: withFlows((flows, others) => others(bound(flows.sessionKey))) };
});

export const sessionFields: readonly Subject[] = subjectsOf<Subject>({
  "session-from-body": {
    bug: "A body may name the session that its action works on, in one field; others that are unknown are refused.",
    kills: ["SESSION-NAMED-IN-BODY"],
    change: fromBody("sessionKey", (at) => ({
      get: (flowId) => at().get(flowId),
      setWaiting: (input) => at().setWaiting(input),
    })),
  },
  "session-listed-from-body": {
    bug: "A body may name the session whose flows are listed.",
    kills: ["SESSION-NAMED-IN-BODY"],
    change: fromBody("session", (at) => ({ list: () => at().list() })),
  },
  "session-created-from-body": {
    bug: "A body may name the session that a flow is created in.",
    kills: ["SESSION-NAMED-IN-BODY"],
    change: fromBody("requesterSessionKey", (at) => ({
      tryCreateManaged: (input) => at().tryCreateManaged(input),
    })),
  },
  "session-changed-by-field": {
    bug: "set_waiting puts the flow into the session that its field sessionKey names.",
    kills: ["SESSION-NAMED-IN-OWN-CHANGE"],
    change: changesHands,
  },
});
