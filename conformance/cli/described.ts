/** A case as data, for `list --json` and `explain --json`. */
import { capabilities } from "../harness/capability.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { ledger } from "../interface/clauses/index.ts";
import { gaps } from "../interface/gaps.ts";

/**
 * `seconds`: how long the case waits where no clock is driven; `clock`: with which one it sees more; `requests`: the most
 * that it sends with one key.
 */
export function described(item: Case) {
  const { id, title, clauses, gaps: bound = [], needs = [], seconds, clock, requests, factors, reading } = item;
  return {
    id,
    level: levelOf(item),
    title,
    clauses: clauses.map((clause) => ({ id: clause, section: ledger[clause].section, text: ledger[clause].text })),
    gaps: bound.map((gap) => ({ id: gap, title: gaps[gap].title })),
    needs: needs.map((need) => ({ id: need, title: capabilities[need] })),
    seconds,
    clock,
    requests,
    factors,
    reading,
  };
}
