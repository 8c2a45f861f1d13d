/** Section 8: limits that count by something that the caller chooses, or that forget what they count. */
import type { IncomingMessage } from "node:http";
import type { Route } from "../../../../plugin/config.ts";
import { withStageKey } from "../../limit-changes.ts";
import { withParts } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** The in-flight count is kept in the record of the key's window, and is lost with it. */
const countedInWindows: Change = {
  parts: (parts, { clock }) => ({
    ...parts,
    createInFlightLimiter: ({ inFlight, windowMs }) => {
      const windows = new Map<string, { count: number; endsAt: number }>();
      const windowOf = (key: string) => {
        const known = windows.get(key);
        if (known !== undefined && clock.now() < known.endsAt) return known;
        const window = { count: 0, endsAt: clock.now() + windowMs };
        windows.set(key, window);
        return window;
      };
      const take = (key: string) => {
        const window = windowOf(key);
        if (window.count >= inFlight) return undefined;
        window.count += 1;
        let held = true;
        return () => {
          if (held) window.count -= 1;
          held = false;
        };
      };
      return { take, trackedKeys: 0 };
    },
  }),
};

const bothLimits = [
  { limit: "rate-limit", prefix: "RATE" },
  { limit: "in-flight", prefix: "IN-FLIGHT" },
] as const;

/** Parts of a request that a caller chooses, by the name of the header. */
const chosenBy: Readonly<Record<string, (sent: string) => string | undefined>> = {
  Host: (sent) => sent,
  "User-Agent": (sent) => sent,
  "X-Real-IP": (sent) => sent,
  "X-Client-IP": (sent) => sent,
  "X-Envoy-External-Address": (sent) => sent,
  "X-Forwarded-For": (sent) => sent,
  "last-of-X-Forwarded-For": (sent) => (sent.includes(", ") ? sent.split(", ").at(-1) : undefined),
};

/** Clients of one address that a limit tells apart by what they say. */
const toldApart: readonly Subject[] = bothLimits.flatMap(({ limit, prefix }) =>
  Object.entries(chosenBy).map(([what, read]) => ({
    id: `${limit}-key-${what.toLowerCase()}`,
    bug: `The ${limit} check tells clients of one address apart by ${what}.`,
    kills: [`${prefix}-CLIENT-NAMED`],
    change: withStageKey(limit, (_route, { headers }, key) => {
      const sent = headers[what.toLowerCase().replace("last-of-", "")];
      const part = sent === undefined ? undefined : read(String(sent));
      return part === undefined ? key : `${part} ${key}`;
    }),
  })),
);

/** One of the two parts of a correct key. */
const halves: Readonly<Record<string, (route: Route, request: IncomingMessage) => string>> = {
  ADDRESS: (route) => route.canonicalPath,
  PATH: (_route, { socket }) => socket.remoteAddress ?? "",
};

const halfKeys: readonly Subject[] = bothLimits.flatMap(({ limit, prefix }) =>
  Object.entries(halves).map(([absent, keyOf]) => ({
    id: `${limit}-key-without-${absent.toLowerCase()}`,
    bug: `The ${limit} check counts without regard to the ${absent.toLowerCase()}.`,
    kills: [`${prefix}-KEY-${absent}`],
    change: withStageKey(limit, keyOf),
  })),
);

const single: readonly Subject[] = subjectsOf<Subject>({
  "in-flight-key-query": {
    bug: "The in-flight limit's key is the request target with its query.",
    kills: ["IN-FLIGHT-EVERY-REQUEST"],
    change: withStageKey("in-flight", (_route, { url, socket }) => `${url} ${socket.remoteAddress}`),
  },
  "in-flight-forgotten-with-window": {
    bug: "When a key's window ends, what it has in flight is forgotten as well.",
    kills: ["IN-FLIGHT-ACROSS-WINDOWS"],
    change: countedInWindows,
  },
  "rate-key-query": {
    bug: "The rate limit's key is the request target with its query.",
    kills: ["RATE-EVERY-REQUEST"],
    change: withParts({ clientKey: (_route, request) => `${request.url} ${request.socket.remoteAddress}` }),
  },
});

export const limitKeys: readonly Subject[] = [...toldApart, ...halfKeys, ...single];
