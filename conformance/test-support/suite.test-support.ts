/** Results of the suite's own cases, for what merges reports or holds them against a baseline. */
import { cases } from "../catalogue.ts";
import { levelOf, type Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { selectCases, type Selection } from "../run/selection.ts";
import { resultOf } from "./report.test-support.ts";

/** A result of each chosen case: a pass, but for what `came` says of it. */
export const suiteResults = (selection: Selection, came: (item: Case) => Partial<CaseResult>): CaseResult[] =>
  selectCases(cases, selection).map((item) => {
    const { id, title, clauses } = item;
    return resultOf({ id, title, clauses, level: levelOf(item), ms: 5, requests: 1, ...came(item) });
  });
