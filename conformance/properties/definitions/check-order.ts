/** Any subset of defects in one request, to a key in any state: the answer is that to the first check that fails. */
import * as fc from "fast-check";
import { targetForms } from "../../harness/arrivals.ts";
import { framings } from "../../harness/framings.ts";
import type { Case } from "../../harness/case.ts";
import { failureIn, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import { mustTakeTwin } from "../../harness/checks.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { namesOf } from "../../oracle/flow-factors.ts";
import { playLimitedRow, keyStates } from "../../oracle/limited-row.ts";
import { checks, parts, rightValues, wrongValues } from "../../oracle/request-factors.ts";
import { configuredValues } from "../../oracle/request-table.ts";
import { rowCase } from "../../oracle/row-case.ts";
import type { Row, Table } from "../../oracle/rows.ts";

/** Requests that are drawn, all from one client. */
const LENGTH = 20;

/** Every value of every part, right or wrong. */
const table: Table = {
  factors: {
    state: [...keyStates],
    ...Object.fromEntries(
      parts.map((part) => [
        part,
        namesOf<string>({ ...rightValues[part], ...(part === "action" ? {} : wrongValues[part]) }),
      ]),
    ),
    // A field of an unknown name in the body may be refused.
    override: ["nothing", "headers name POST", "the query names POST"],
    framing: namesOf(framings),
    target: namesOf(targetForms),
  },
  // A query may stand in one place.
  allows: ({ override, target = "the path" }) => override !== "the query names POST" || target === "the path",
};

/** Half of the parts that a check looks at are right, so that each check is met as the first one to fail. */
const anyRow = ({ factors, allows }: Table): fc.Arbitrary<Row> => {
  const weighted = Object.entries(factors).map(([name, values]) => {
    const isChecked = name === "state" || (checks as readonly string[]).includes(name);
    const [usual] = values;
    return [name, isChecked ? fc.oneof(fc.constant(usual), fc.constantFrom(...values)) : fc.constantFrom(...values)];
  });
  const all = fc.record(Object.fromEntries(weighted) as Record<string, fc.Arbitrary<string>>);
  return all.filter((row) => allows?.(row) ?? true);
};

export const orderProperty = (seed: number): Case =>
  rowCase({
    id: "PROPERTY-ORDER",
    title: "With any combination of defects the first failing check answers",
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
    table,
    client: "one",
    rows: (there) => fc.sample(anyRow(there), { seed, numRuns: LENGTH }),
    async valuesOf(trial) {
      if (!trial.toldApart) throw new NotApplicable("the target does not tell client addresses apart");
      mustTakeTwin(await trial.send(trial.right()));
      return configuredValues(trial);
    },
    async play(trial, row) {
      const failure = await playLimitedRow(trial, row).then(() => undefined, failureIn);
      if (failure === undefined) return;
      await playLimitedRow(trial, row);
      throw new Unreached("not reproduced: the same requests were answered correctly the second time", trial.last);
    },
  });
