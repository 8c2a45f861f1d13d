/** Which suite judged: its version, and hashes that change with its clauses and cases. */
import { createHash } from "node:crypto";
import { suiteVersion } from "../foundation/suite-version.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { clauseIds, ledger } from "../interface/clauses/index.ts";
import type { Report } from "./report.ts";

/** `ledger` changes when a clause is added, dropped or reworded, `catalogue` when a case is, or is judged by other clauses. */
export function suiteIdentity(suite: readonly Case[]): Report["suite"] {
  const clauses = clauseIds.map((id) => `${id} ${ledger[id].text}`).join("\n");
  const cases = suite.map((item) => `${item.id} ${levelOf(item)} ${item.clauses.join(" ")}`).join("\n");
  return { version: suiteVersion(), ledger: shortHash(clauses), catalogue: shortHash(cases), cases: suite.length };
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** For people. */
export const suiteName = ({ version, ledger, catalogue }: Report["suite"]): string =>
  `${version} (ledger ${ledger}, cases ${catalogue})`;
