/** Section 8: each number gone wrong by each of several sizes, and windows that end by the clock at several offsets to it. */
import { withLimits } from "../../changes.ts";
import { byClock } from "../../limit-books.ts";
import { idOf, type Change, type Subject } from "../../subject.ts";

type Swept = readonly [
  name: string,
  stated: number,
  unit: number,
  kills: readonly string[],
  change: (value: number) => Change,
];

/** The numbers of section 8, what differs from each by one unit, and the cases that measure it. */
const swept: readonly Swept[] = [
  ["requests in a window", 120, 1, ["RATE-120-ACCEPTED"], (requestsPerWindow) => withLimits({ requestsPerWindow })],
  ["window", 60_000, 1000, ["RATE-WINDOW-60-SECONDS"], (windowMs) => withLimits({ windowMs })],
  ...[0, 17_300, 41_900].map((late): Swept => {
    return [`window by the clock ${late} ms late`, 60_000, 1000, ["RATE-WINDOW-60-SECONDS"], (ms) => byClock(ms, late)];
  }),
  ["in flight", 8, 1, ["IN-FLIGHT-9-REFUSED"], (inFlight) => withLimits({ inFlight })],
  ["body size", 262_144, 1, ["BODY-262145-LENGTH", "BODY-262145-CHUNKED"], (bodyBytes) => withLimits({ bodyBytes })],
  ["body time", 15_000, 1000, ["BODY-15-SECONDS"], (bodyMs) => withLimits({ bodyMs })],
];

/** The least body size that is lawful: 256 KB may be this many bytes. */
const LEAST_BYTES = 256_000;

/** Each size, below from the least lawful value and above from the largest; a per cent of a small number is less than one. */
const sizes: Record<string, (stated: number, unit: number) => number> = {
  "minus 50 per cent": (stated) => 0.5 * stated,
  "minus 10 per cent": (stated) => Math.floor(0.9 * stated),
  "minus 1 unit": (stated, unit) => stated - unit,
  "plus 1 unit": (stated, unit) => stated + unit,
  "plus 10 per cent": (stated) => Math.ceil(1.1 * stated),
  "plus 100 per cent": (stated) => 2 * stated,
};

export const sweep: readonly Subject[] = swept.flatMap(([name, stated, unit, kills, change]) => {
  const valueOf = (size: string) =>
    sizes[size]?.(name === "body size" && size.startsWith("minus") ? LEAST_BYTES : stated, unit) ?? stated;
  // Of a small number several sizes are the same.
  const sizeOf = new Map(Object.keys(sizes).map((size) => [valueOf(size), size]));
  return [...sizeOf].map(([value, size]) => ({ id: idOf(`sweep ${name} ${size}`), kills, change: change(value) }));
});
