/** How long the search for an order of simultaneous requests takes. */
import { linearize, type Timed } from "../../conformance/oracle/linearizable.ts";
import { flowHistory, type FlowOperation } from "../../conformance/oracle/flow-history.ts";
import { readProfile } from "../../conformance/interface/profile.ts";
import { median, type Figure, type Measure } from "./measure.ts";

const SIZES = [100, 400, 1600, 4000];
const ROUNDS = 5;

/** Of every four: an applied change, the conflict of one that came too late, two reads; in any order. */
function overlapping(size: number): Timed<FlowOperation>[] {
  const history = Array.from({ length: size }, (_, index) => {
    const revision = Math.floor(index / 4);
    const change = { action: "set_waiting", sent: revision, status: 200, accepted: true, shows: revision + 1 } as const;
    const late = {
      action: "set_waiting",
      sent: revision,
      status: 409,
      accepted: false,
      code: "revision_conflict",
    } as const;
    const read = { action: "read", status: 200, accepted: true, shows: revision } as const;
    return [change, late, read, read][index % 4] as FlowOperation;
  });
  // The same shuffle each time.
  const ranked = history.map((operation, index) => ({ operation, rank: Math.imul(index + 1, 2_654_435_761) >>> 0 }));
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ operation }, index) => ({ operation, start: index, end: size + index }));
}

async function timed(history: Timed<FlowOperation>[], isExplained: boolean): Promise<number> {
  const { gaps } = await readProfile("reference", ".");
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    const { order } = linearize(history, flowHistory(gaps, 0, new Set()));
    if ((order !== undefined) !== isExplained) throw new Error(`${history.length} operations: the wrong verdict`);
    return performance.now() - start;
  });
  return median(times);
}

export const orders: Measure = {
  about: `Milliseconds to find an order that explains the answers of one flow, or that there is none; every operation overlaps every other. Medians of ${ROUNDS}.`,
  async measure() {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const right = overlapping(size);
      // The last change is answered as applied twice.
      const twice = right.findLast(({ operation }) => operation.action === "set_waiting" && operation.accepted);
      const wrong = [...right, ...(twice === undefined ? [] : [twice])];
      for (const [history, what] of [[right, "explained"] as const, [wrong, "not to be explained"] as const]) {
        const value = await timed(history, history === right);
        figures.push({
          what: `${size} operations, ${what}`,
          value,
          unit: "ms",
          against: `${SIZES[0]} operations, ${what}`,
        });
      }
    }
    return figures;
  },
};
