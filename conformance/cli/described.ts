/** A case as data, for `list --json` and `explain --json`. */
import { capabilities } from "../harness/capability.ts";
import type { Case } from "../harness/case.ts";
import { ledger } from "../interface/clauses/index.ts";
import { gaps } from "../interface/gaps.ts";
import { requestCounts } from "./request-counts.ts";

/** `seconds`: how long the case waits where no clock is driven; `requests`: how many it sends where one is. */
export function described({ id, level, since, title, clauses, gaps: bound = [], needs = [], seconds, reading }: Case) {
  return {
    id,
    level,
    ...(since === undefined ? {} : { since }),
    title,
    clauses: clauses.map((clause) => ({ id: clause, section: ledger[clause].section, text: ledger[clause].text })),
    gaps: bound.map((gap) => ({ id: gap, title: gaps[gap].title })),
    needs: needs.map((need) => ({ id: need, title: capabilities[need] })),
    ...(seconds === undefined ? {} : { seconds }),
    requests: requestCounts[id],
    ...(reading === undefined ? {} : { reading }),
  };
}
