/** Reports made of hand-written results, as a run would produce them. */
import { validRequest } from "../interface/request.ts";
import { grouped } from "../foundation/grouped.ts";
import type { BaselineEntry } from "../report/baseline/baseline.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { clauseIds, ledger } from "../interface/clauses/index.ts";
import type { Exchange } from "../http/exchange.ts";
import { redactor, type Redact } from "../http/redact.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import type { ReportDraft, Report } from "../report/report.ts";
import type { Selection } from "../run/selection.ts";
import type { Finding } from "../harness/finding.ts";
import type { CaseResult } from "../harness/result.ts";
import type { RunOutcome } from "../run/run.ts";
import { checkTarget } from "../targets/target-file.ts";
import { caseOf } from "./gateway.test-support.ts";

export const secret = "whsec-00112233445566778899aabbccddeeff0011";
export const redact = redactor([{ value: secret, variable: "WEBHOOKS_SECRET_LANE_01" }]);
const route = { path: "/plugins/webhooks/lane-01", secret };

export type Given = Partial<CaseResult> & Omit<Partial<Finding>, "exchanges">;

/** An exchange with the secret in every place that can hold one. */
export function exchangeWith(body: string, more: Partial<Exchange> = {}): Exchange {
  return {
    request: {
      ...validRequest(route, { action: "create_flow", goal: secret }),
      path: `${route.path}?secret=${secret}`,
    },
    from: "127.1.0.1",
    answer: {
      status: 409,
      headers: new Map([["set-cookie", [`token=${secret}`, "plain"]]]),
      body: new TextEncoder().encode(body),
    },
    ...more,
  };
}

/** A result; where `expected` is said a failure with that one finding. */
export function resultOf({ expected, actual = "", story, combination, ...more }: Given = {}): CaseResult {
  const base = { id: "FLOW-EXAMPLE", title: "An example", clauses: ["SESSION-BOUND"] as const, level: "must" as const };
  const finding = expected !== undefined && { expected, actual, story, combination, exchanges: more.exchanges };
  return {
    ...base,
    outcome: "pass",
    exchanges: [],
    ms: 3,
    requests: 2,
    ...(finding && { findings: [finding] }),
    ...more,
  };
}

/** A result of a case of the suite; passed where nothing else is said. */
export const resultOfCase = (item: Case, more: Given = {}): CaseResult =>
  resultOf({ id: item.id, title: item.title, clauses: item.clauses, level: levelOf(item), ...more });

/** Passing results that cover every `must` clause: few, as each is written in every format of every report. */
export function covering(): CaseResult[] {
  const judged = clauseIds.filter((id) => ledger[id].level === "must" && ledger[id].excluded === undefined);
  const tens = grouped(judged.keys(), (index) => Math.floor(index / 10));
  return [...tens].map(([ten, indexes]) =>
    resultOf({ id: `COVERS-${ten}`, clauses: indexes.flatMap((index) => judged[index] ?? []) }),
  );
}

interface ReportGiven {
  /** How many cases of the suite were not run. */
  readonly unrun?: number;
  readonly run?: Partial<RunOutcome>;
  readonly target?: Record<string, unknown>;
  readonly baseline?: readonly BaselineEntry[];
  readonly selection?: Partial<Selection>;
  /** Default: hides this file's secret. */
  readonly redact?: Redact;
}

export function reportWith(all: readonly Given[], given: ReportGiven = {}): Report {
  const results = all.map(resultOf);
  const suite = [
    ...results.filter(({ file }) => file === undefined).map(({ id }) => caseOf(id)),
    ...Array.from({ length: given.unrun ?? 0 }, (_, i) => caseOf(`UNRUN-${i}`)),
  ];
  return conclude(draftWith(results, { ...given, suite }), given.baseline);
}

/** The report of a run with these results, before baseline and verdict. */
export function draftWith(
  results: readonly CaseResult[],
  {
    run = {},
    target = {},
    selection = {},
    suite,
    redact: takeOut = redact,
  }: ReportGiven & { readonly suite: readonly Case[] },
): ReportDraft {
  const checked = checkTarget({ name: "a gateway", baseUrl: "http://127.0.0.1:1", ...target }, ".", "target");
  const measured = {
    clock: "real" as const,
    capabilities: ["addresses"] as const,
    notes: [],
    stderrTail: "",
    ms: 1234,
  };
  return draftReport({
    target: checked,
    profile: { name: "spec", fields: {} as never, gaps: {} },
    outcome: { results, ...measured, ...run },
    startedAt: new Date("2025-01-02T03:04:05.678Z"),
    redact: takeOut,
    suite,
    selection: { quick: false, ...selection },
    failOn: "gap",
    again: "webhooks-conformance run --target mine.json",
  });
}
