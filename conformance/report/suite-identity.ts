/** Which suite judged: its version, and hashes that change with its clauses and cases. */
import { createHash } from "node:crypto";
import { suiteVersion } from "../foundation/suite-version.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { ledger, type ClauseId } from "../interface/clauses/index.ts";
import type { Report } from "./report.ts";

export function suiteIdentity(suite: readonly Case[]): Report["suite"] {
  return { version: suiteVersion(), ledger: ledgerHash(), catalogue: catalogueHash(suite), cases: suite.length };
}

/** Changes when a clause is added, dropped or reworded. */
export function ledgerHash(): string {
  const text = (Object.keys(ledger) as ClauseId[]).map((id) => `${id} ${ledger[id].text}`).join("\n");
  return shortHash(text);
}

/** Changes when a case is added, dropped or judged by other clauses. */
function catalogueHash(suite: readonly Case[]): string {
  return shortHash(suite.map((item) => `${item.id} ${levelOf(item)} ${item.clauses.join(" ")}`).join("\n"));
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** For people. */
export const suiteName = ({ version, ledger, catalogue }: Report["suite"]): string =>
  `${version} (ledger ${ledger}, cases ${catalogue})`;
