/** Section 8: limits that count by something that the caller chooses, or that forget what they count. */
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

export const limitKeys: readonly Subject[] = subjectsOf<Subject>({
  "rate-key-host": {
    bug: "The rate limit's key is the whole URL, with the name in Host.",
    kills: ["RATE-CLIENT-NAMED"],
    change: withStageKey("rate-limit", (_route, { headers }, key) => `${headers.host} ${key}`),
  },
  "rate-key-user-agent": {
    bug: "The rate limit tells clients of one address apart by their User-Agent.",
    kills: ["RATE-CLIENT-NAMED"],
    change: withStageKey("rate-limit", (_route, { headers }, key) => `${headers["user-agent"]} ${key}`),
  },
  "in-flight-key-host": {
    bug: "The in-flight limit's key is the whole URL, with the name in Host.",
    kills: ["IN-FLIGHT-CLIENT-NAMED"],
    change: withStageKey("in-flight", (_route, { headers }, key) => `${headers.host} ${key}`),
  },
  "in-flight-key-user-agent": {
    bug: "The in-flight limit tells clients of one address apart by their User-Agent.",
    kills: ["IN-FLIGHT-CLIENT-NAMED"],
    change: withStageKey("in-flight", (_route, { headers }, key) => `${headers["user-agent"]} ${key}`),
  },
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
