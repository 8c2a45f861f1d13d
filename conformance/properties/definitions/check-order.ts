/** Any subset of defects in one request, to a key in any state: the answer is that to the first check that fails. */
import * as fc from "fast-check";
import { framings, targetForms } from "../../harness/arrivals.ts";
import type { Case } from "../../harness/case.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import { twin } from "../../harness/checks.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { playLimitedRow, states } from "../../oracle/limited-row.ts";
import { checks, parts, rightValues, wrongValues } from "../../oracle/request-factors.ts";
import { configuredValues } from "../../oracle/request-table.ts";
import { restricted, smallestFailure } from "../../oracle/row-case.ts";
import type { Row, Table } from "../../oracle/rows.ts";
import type { Depth } from "../search.ts";

/** Requests that are drawn, all from one client. */
const LENGTH = 20;

const names = (values: object) => Object.keys(values) as [string, ...string[]];

/** Every value of every part, right or wrong. */
const table: Table = {
  factors: {
    state: [...states],
    ...Object.fromEntries(
      parts.map((part) => [part, names({ ...rightValues[part], ...(part === "action" ? {} : wrongValues[part]) })]),
    ),
    framing: names(framings),
    target: names(targetForms),
  },
  // A query may stand in one place, and a field of an unknown name may be refused.
  allows: ({ override, target }) =>
    override === undefined || override === "nothing" || (override !== "the body names POST" && target === "the path"),
};

/** Half of the parts that a check looks at are right, so that each check is met as the first one to fail. */
const rowsOf = ({ factors, allows }: Table): fc.Arbitrary<Row> => {
  const weighted = Object.entries(factors).map(([name, values]) => {
    const isChecked = name === "state" || (checks as readonly string[]).includes(name);
    const [usual] = values;
    return [name, isChecked ? fc.oneof(fc.constant(usual), fc.constantFrom(...values)) : fc.constantFrom(...values)];
  });
  const all = fc.record(Object.fromEntries(weighted) as Record<string, fc.Arbitrary<string>>);
  return all.filter((row) => allows?.(row) ?? true);
};

export const orderProperty = ({ seed }: Depth): Case => ({
  id: "PROPERTY-ORDER",
  title: "With any subset of defects, at a key in any state, the answer is that to the first check that fails",
  clauses: [
    "ORDER-METHOD-RATE",
    "ORDER-METHOD-IN-FLIGHT",
    "ORDER-METHOD-AUTH",
    "ORDER-METHOD-BODY",
    "ORDER-RATE-AUTH",
    "ORDER-RATE-BODY",
    "ORDER-IN-FLIGHT-AUTH",
    "ORDER-IN-FLIGHT-BODY",
    "ORDER-AUTH-BODY",
  ],
  costly: true,
  needs: ["addresses"],
  meetsLimits: true,
  requests: REQUESTS_PER_WINDOW,
  longestMs: 60_000,
  reading:
    "Rows of the same factors as those of the REQUEST cases, drawn by the seed. Told by the " +
    "target's own answers to each defect alone; defects that are answered alike cannot be told apart.",
  async run(trial) {
    if (!trial.toldApart) throw new NotApplicable("the target takes all client addresses for one");
    twin(await trial.send(trial.right()));
    const { framing = [], target = [], override = [] } = await configuredValues(trial);
    const there = restricted(table, { framing, target, override });
    for (const row of fc.sample(rowsOf(there), { seed, numRuns: LENGTH })) {
      try {
        await playLimitedRow(trial, row);
      } catch (error) {
        if (error instanceof NotApplicable) continue;
        if (!(error instanceof Failure)) throw error;
        const again = await playLimitedRow(trial, row).catch((second: unknown) => second);
        if (!(again instanceof Failure))
          throw new Unreached("what was wrong was right when the same was sent again", trial.last);
        throw await smallestFailure(again, row, there, (one) => playLimitedRow(trial, one));
      }
    }
  },
});
