/** How long the search for an order takes: histories on one flow in which every request overlaps every other. */
import { linearize, type Timed } from "../conformance/properties/oracle/linearizable.ts";
import { flowHistory, type FlowOperation } from "../conformance/properties/oracle/flow-history.ts";
import { readProfile } from "../conformance/interface/profile.ts";

const SIZES = [100, 200, 400, 800, 1600, 4000];
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

async function main(): Promise<void> {
  const { gaps } = await readProfile("reference", ".");
  process.stdout.write("operations  explained (ms)  not to be explained (ms)\n");
  for (const size of SIZES) {
    const right = overlapping(size);
    // The last change is answered as applied twice.
    const twice = right.findLast(({ operation }) => operation.action === "set_waiting" && operation.accepted);
    const wrong = [...right, ...(twice === undefined ? [] : [twice])];
    const cells = [right, wrong].map((history, isWrong) => {
      const times = Array.from({ length: ROUNDS }, () => {
        const begun = performance.now();
        const { order } = linearize(history, flowHistory(gaps, 0, new Set()));
        if ((order === undefined) !== (isWrong === 1)) throw new Error(`${size}: another verdict than expected`);
        return performance.now() - begun;
      });
      return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]?.toFixed(1) ?? "";
    });
    process.stdout.write(`${String(size).padStart(10)}  ${cells.map((cell) => cell.padStart(14)).join("  ")}\n`);
  }
}

await main();
