/** Section 8: each number gone wrong by each of several sizes, and windows that end by the clock at several offsets to it. */
import { REAL_SLACK_MS } from "../../../interface/limits.ts";
import { withLimits } from "../../changes.ts";
import { byClock } from "../../limit-books.ts";
import { idOf, type Change, type Subject } from "../../subject.ts";

/** A number of section 8, what differs from it by one unit, and the case that measures it. */
interface Swept {
  readonly name: string;
  readonly stated: number;
  readonly unit: number;
  /** The largest value that is lawful, where that is not the one that is stated. */
  readonly least?: number;
  readonly kills: readonly string[];
  change(value: number): Change;
}

const swept: readonly Swept[] = [
  {
    name: "requests in a window",
    stated: 120,
    unit: 1,
    kills: ["RATE-120-ACCEPTED"],
    change: (requestsPerWindow) => withLimits({ requestsPerWindow }),
  },
  {
    name: "window",
    stated: 60_000,
    unit: 1000,
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: (windowMs) => withLimits({ windowMs }),
  },
  ...[0, 17_300, 41_900].map((offset): Swept => ({
    name: `window by the clock ${offset} ms late`,
    stated: 60_000,
    unit: 1000,
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: (lengthMs) => byClock(lengthMs, offset),
  })),
  {
    name: "in flight",
    stated: 8,
    unit: 1,
    kills: ["IN-FLIGHT-9-REFUSED"],
    change: (inFlight) => withLimits({ inFlight }),
  },
  {
    name: "body size",
    stated: 262_144,
    least: 256_000,
    unit: 1,
    kills: ["BODY-262145-LENGTH", "BODY-262145-CHUNKED"],
    change: (bodyBytes) => withLimits({ bodyBytes }),
  },
  {
    name: "body time",
    stated: 15_000,
    unit: 1000,
    kills: ["BODY-15-SECONDS"],
    change: (bodyMs) => withLimits({ bodyMs }),
  },
];

/** Each size, below from the least lawful value and above from the largest; a per cent of a small number is less than one. */
const sizes: Record<string, (stated: number, unit: number) => number> = {
  "minus 50 per cent": (stated) => 0.5 * stated,
  "minus 10 per cent": (stated) => Math.floor(0.9 * stated),
  "minus 1 unit": (stated, unit) => stated - unit,
  "plus 1 unit": (stated, unit) => stated + unit,
  "plus 10 per cent": (stated) => Math.ceil(1.1 * stated),
  "plus 100 per cent": (stated) => 2 * stated,
};

export const sweep: readonly Subject[] = swept.flatMap(({ name, stated, least = stated, unit, kills, change }) =>
  Object.entries(sizes).map(([size, sized]) => {
    const value = sized(size.startsWith("minus") ? least : stated, unit);
    return {
      id: idOf(`sweep ${name} ${size}`),
      bug: `The ${name} is ${value} instead of ${stated}.`,
      kills,
      drivenOnly: unit === 1000 && Math.abs(value - stated) <= REAL_SLACK_MS,
      change: change(value),
    };
  }),
);
