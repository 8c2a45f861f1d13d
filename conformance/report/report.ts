/** The one report: versioned JSON with a published schema. Every other format renders from it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { applyBaseline } from "./baseline/apply.ts";
import { baselineSchema, type BaselineEntry } from "./baseline/baseline.ts";
import { signatureOf } from "./baseline/signature.ts";
import type { Case } from "../harness/case.ts";
import { ledger, type ClauseId } from "../interface/clauses/index.ts";
import type { Exchange } from "../http/exchange.ts";
import { bodyBytesOf, neutral, printable } from "../http/exchange.ts";
import { bodyExcerpt, replayLine } from "../http/replay-line.ts";
import type { Redact } from "../http/redact.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Depth } from "../properties/search.ts";
import { replaySchema } from "../story/replay-file.ts";
import type { CaseResult, StoryReport } from "../harness/result.ts";
import type { RunOutcome } from "../run/run.ts";
import type { Target } from "../targets/target-file.ts";
import { failOnLevels, verdictOf, type FailOn } from "./verdict.ts";
import { selectionSchema, type Selection } from "../run/selection.ts";

/** Of one answer: a target that sends thousands should not bury the rest. */
const SHOWN_HEADERS = 40;

const outcome = z.enum(["pass", "fail", "warn", "known", "not-applicable", "unreached", "error"]);
const header = z.tuple([z.string(), z.string()]);

const exchangeSchema = z.strictObject({
  from: z.string().describe("The client address."),
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.array(header),
    body: z.string(),
    bodyBytes: z.int(),
  }),
  sentBytes: z.int().optional().describe("Bytes of the body that were sent, where fewer than the whole."),
  answer: z
    .strictObject({
      status: z.int(),
      headers: z.array(header),
      headersLeftOut: z.int().optional().describe("Headers beyond those listed."),
      body: z.string(),
      bodyBytes: z.int(),
    })
    .optional(),
  fault: z.string().optional().describe("What the transport said where there is no answer."),
  replay: z.string().describe("A line for bash; $BASE_URL and the secrets' variables are to be set."),
});

const storySchema = z.strictObject({
  lines: z.array(z.string()).describe("For people: numbered requests and their answers."),
  requests: z.int().describe("Requests beside the creation of flows."),
  replay: replaySchema.optional().describe("A replay file; absent where the target answers otherwise each time."),
});

const resultSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  clauses: z.array(z.string()),
  level: z.enum(["must", "should", "gap"]),
  outcome,
  reason: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  signature: z.string().optional().describe("Of a failure: what a baseline knows it by."),
  file: z.string().optional().describe("The replay file that the case was read from; it is none of the suite's."),
  leftOut: z.literal(true).optional().describe("Not run because a part of the suite was asked for."),
  ms: z.int(),
  requests: z.int(),
  exchanges: z.array(exchangeSchema),
  story: storySchema.optional().describe("The few requests that show what a property found."),
  otherStories: z.array(storySchema).optional().describe("What other seeds found, where that is something else."),
  visits: z
    .record(z.string(), z.record(z.string(), z.int()))
    .optional()
    .describe("How often a property tried each action (rows) on flows in each state (columns)."),
});

export const REPORT_FORMAT = "webhooks-conformance/report@2";

const baselineUseSchema = z.strictObject({
  entries: baselineSchema.shape.entries,
  faults: z
    .array(z.strictObject({ case: z.string(), fault: z.enum(["stale", "expired", "changed"]), said: z.string() }))
    .describe("Where the baseline is no longer true: each turns the run red."),
  untested: z.array(z.string()).describe("Cases of entries that this run says nothing of."),
});

export const reportSchema = z.strictObject({
  format: z.literal(REPORT_FORMAT),
  suite: z.strictObject({
    version: z.string(),
    ledger: z.string().describe("Hash of the clauses' ids and texts."),
    catalogue: z.string().describe("Hash of the cases' ids, levels and clauses."),
    cases: z.int(),
  }),
  target: z.strictObject({ name: z.string(), product: z.string() }),
  profile: z.string(),
  profileHash: z.string().describe("Hash of what the profile binds."),
  selection: selectionSchema.describe("The part of the suite that was asked for."),
  failOn: z.enum(failOnLevels),
  depth: z
    .strictObject({ seeds: z.array(z.int().min(0)) })
    .optional()
    .describe("The seeds that the properties generated from."),
  again: z.string().optional().describe("The command that ran it, up to the choice of cases."),
  startedAt: z.iso.datetime(),
  ms: z.int(),
  clock: z.enum(["real", "driven"]),
  capabilities: z.array(z.string()),
  notes: z.array(z.string()),
  verdict: z.strictObject({
    judgement: z.enum(["conformant", "not conformant", "incomplete"]),
    partial: z.boolean(),
    exitCode: z.union([z.literal(0), z.literal(1), z.literal(4)]),
    counts: z.record(outcome, z.int()),
    failed: z.array(z.string()),
    open: z.array(z.string()),
    uncovered: z.array(z.string()),
  }),
  baseline: baselineUseSchema.optional().describe("The baseline that the run was held against."),
  notCovered: z.record(z.string(), z.string()).describe("Clause id and the target file's reason."),
  results: z.array(resultSchema),
  stderrTail: z.string().describe("The end of what the target wrote to stderr, secrets blotted out."),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportedResult = z.infer<typeof resultSchema>;

/** A report before baseline and verdict: failures stand in it as they failed. */
export type Findings = Omit<Report, "verdict" | "baseline">;

export interface ReportSource {
  readonly target: Target;
  readonly profile: Profile;
  readonly outcome: RunOutcome;
  readonly startedAt: Date;
  readonly redact: Redact;
  /** The whole suite. */
  readonly suite: readonly Case[];
  readonly selection: Selection;
  readonly failOn: FailOn;
  readonly again?: string | undefined;
  readonly depth?: Depth | undefined;
}

/** What a run found, secrets taken out. */
export function findingsOf(source: ReportSource): Findings {
  const { target, profile, outcome: run, suite, redact, again, depth } = source;
  return {
    format: REPORT_FORMAT,
    suite: suiteOf(suite),
    target: { name: target.name, product: target.product },
    profile: profile.name,
    profileHash: hashOf(JSON.stringify([profile.fields, profile.gaps])),
    selection: source.selection,
    failOn: source.failOn,
    ...(depth === undefined ? {} : { depth: { seeds: [depth.seed] } }),
    ...(again === undefined ? {} : { again }),
    startedAt: source.startedAt.toISOString(),
    ms: run.ms,
    clock: run.driven ? "driven" : "real",
    capabilities: [...run.capabilities],
    notes: run.notes.map((note) => neutral(redact(note), 1000)),
    notCovered: target.notCovered,
    results: run.results.map((result) => reported(result, redact)),
    stderrTail: redact(run.stderrTail)
      .split("\n")
      .map((line) => printable(line))
      .join("\n"),
  };
}

/** The report: findings held against the baseline, and the verdict on them. */
export function conclude(findings: Findings, entries: readonly BaselineEntry[] | undefined): Report {
  const { results, faults, untested } = applyBaseline(entries ?? [], findings.results, findings.startedAt.slice(0, 10));
  const { notCovered, failOn, suite } = findings;
  const verdict = verdictOf({ suiteSize: suite.cases, results, notCovered, failOn, baselineFaults: faults.length });
  return {
    ...findings,
    results,
    ...(entries === undefined ? {} : { baseline: { entries: [...entries], faults, untested } }),
    verdict: {
      judgement: verdict.judgement,
      partial: verdict.partial,
      exitCode: verdict.exitCode,
      counts: { ...verdict.counts },
      failed: verdict.failed.map(({ id }) => id),
      open: verdict.open.map(({ id }) => id),
      uncovered: [...verdict.uncovered],
    },
  };
}

/** What a report says of the suite. */
export function suiteOf(suite: readonly Case[]): Report["suite"] {
  return { version: suiteVersion(), ledger: ledgerHash(), catalogue: catalogueHash(suite), cases: suite.length };
}

/** Changes when a clause is added, dropped or reworded. */
export function ledgerHash(): string {
  const text = (Object.keys(ledger) as ClauseId[]).map((id) => `${id} ${ledger[id].text}`).join("\n");
  return hashOf(text);
}

/** Changes when a case is added, dropped or judged by other clauses. */
function catalogueHash(suite: readonly Case[]): string {
  return hashOf(suite.map(({ id, level, clauses }) => `${id} ${level} ${clauses.join(" ")}`).join("\n"));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** The version in the package's own package.json, from the sources and from the built package alike. */
export function suiteVersion(): string {
  for (const up of ["../../package.json", "../../../package.json"]) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(up, import.meta.url), "utf8")) as Record<
        string,
        string
      >;
      if (name === "webhooks-conformance" && version !== undefined) return version;
    } catch {
      // One folder further up, then.
    }
  }
  return "unknown";
}

function reported(result: CaseResult, redact: Redact): ReportedResult {
  const { id, title, clauses, level, outcome: came, file, leftOut, ms, requests, story, visits } = result;
  const texts = Object.fromEntries(
    (["reason", "expected", "actual"] as const).flatMap((name) => {
      const text = result[name];
      return text === undefined ? [] : [[name, neutral(redact(text), 1000)]];
    }),
  );
  const exchanges = result.exchanges.map((exchange) => reportedExchange(exchange, redact));
  const about = { id, title, clauses: [...clauses], level, outcome: came, file, leftOut };
  const base = { ...about, ...texts, ms, requests, exchanges, visits };
  const failed = came === "fail" || came === "warn";
  return {
    ...base,
    ...(failed ? { signature: signatureOf(texts["expected"] ?? "", texts["actual"] ?? "") } : {}),
    ...(story === undefined ? {} : { story: reportedStory(story, redact) }),
  };
}

function reportedStory({ lines, requests, replay }: StoryReport, redact: Redact): z.infer<typeof storySchema> {
  const told = { lines: lines.map((line) => neutral(redact(line), 1000)), requests };
  if (replay === undefined) return told;
  // Its steps are the kit's own; these two may quote the target.
  return { ...told, replay: { ...replay, expected: redact(replay.expected), actual: redact(replay.actual) } };
}

function reportedExchange(exchange: Exchange, redact: Redact): Report["results"][number]["exchanges"][number] {
  const { request, answer, from, fault, sentBytes } = exchange;
  const body = neutral(redact(new TextDecoder().decode(request.body.subarray(0, 2000))).trimEnd(), 600);
  const headers = [...(answer?.headers ?? [])].flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  return {
    from,
    request: {
      method: request.method,
      path: neutral(redact(request.path), 2000),
      headers: request.headers.map(([name, value]) => [redact(name), neutral(redact(value))]),
      body,
      bodyBytes: request.body.byteLength,
    },
    ...(sentBytes === undefined ? {} : { sentBytes }),
    ...(fault === undefined ? {} : { fault }),
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.status,
            headers: headers
              .slice(0, SHOWN_HEADERS)
              .map(([name, value]) => [neutral(redact(name)), neutral(redact(value))]),
            ...(headers.length > SHOWN_HEADERS ? { headersLeftOut: headers.length - SHOWN_HEADERS } : {}),
            body: neutral(bodyExcerpt(exchange, redact), 800),
            bodyBytes: bodyBytesOf(answer),
          },
        }),
    replay: replayLine(exchange, redact),
  };
}
