/** What came of a case: the facts that verdict and reports work on. */
import type { ClauseId } from "./clauses/index.ts";
import type { Level } from "./case.ts";
import type { Exchange } from "./http/exchange.ts";

export type Outcome = "pass" | "fail" | "warn" | "known" | "not-applicable" | "unreached" | "error";

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly level: Level;
  readonly outcome: Outcome;
  /** Why it is no pass, in a sentence. */
  readonly reason?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The evidence, secrets still in it: reports redact. */
  readonly exchanges: readonly Exchange[];
  readonly ms: number;
  readonly requests: number;
  /** Left out because the user asked for a part of the suite only (`--quick`). */
  readonly leftOut?: true;
}
