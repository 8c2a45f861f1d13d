/** The report as data: versioned JSON with a published schema. Every other format renders from it. */
import { z } from "zod";
import { combinationSchema, findingFacts, resultFacts, storySchema, type Fixed } from "../harness/outcome.ts";
import { selectionSchema } from "../run/selection.ts";
import { baselineSchema } from "./baseline/baseline.ts";
import { failOnLevels, verdictSchema } from "./verdict.ts";

const header = z.tuple([z.string(), z.string()]);

const exchangeSchema = z.strictObject({
  from: z.string().describe("The client address."),
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.array(header),
    body: z.string(),
    bodyBytes: z.int(),
    action: z.string().optional().describe("The action that a short JSON body asks for."),
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
  replay: z
    .string()
    .optional()
    .describe("A line for bash, of a target that still runs; $BASE_URL and the secrets' variables are to be set."),
});

/** Of one case: a run keeps 100, and a merged report those of all seeds. */
const MOST_FINDINGS = 5000;

const resultSchema = z.strictObject({
  ...resultFacts,
  reading: z.string().optional().describe("How the case read its clauses, where it did not pass."),
  expected: z.string().optional(),
  actual: z.string().optional(),
  findings: z
    .array(
      z.strictObject({
        ...findingFacts,
        signature: z.string().describe("What a baseline knows it by, with the combination."),
        known: z.literal(true).optional().describe("In the baseline."),
        exchanges: z.array(exchangeSchema).optional().describe("Of the first dozen."),
      }),
    )
    .max(MOST_FINDINGS)
    .optional()
    .describe(
      "Of a failure: all that the case found. What the result says beside is of the first that is new, of an invariant of all.",
    ),
  exchanges: z.array(exchangeSchema),
  story: storySchema.optional().describe("The few requests that show what a property found."),
  otherStories: z.array(storySchema).optional().describe("What other seeds found, where that is something else."),
  combination: combinationSchema.optional(),
});

/** Many times the suite: what has more is no report of a run, and would take minutes to render. */
const MOST_RESULTS = 10_000;

export const REPORT_FORMAT = "webhooks-conformance/report@3";

const baselineUseSchema = z.strictObject({
  entries: baselineSchema.shape.entries,
  // `stale`: it is no longer found. `expired`: it is, but was accepted up to a day that is past.
  faults: z
    .array(z.strictObject({ case: z.string(), fault: z.enum(["stale", "expired"]), said: z.string() }))
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
  again: z.string().max(100_000).optional().describe("The command that ran it, up to the choice of cases."),
  serve: z
    .string()
    .optional()
    .describe("Of a plugin: commands for bash that serve it, for the `replay` lines to reach it."),
  stopped: z.string().optional().describe("Why the run ended early on request: cases without a result did not run."),
  startedAt: z.iso.datetime(),
  ms: z.int(),
  clock: z.enum(["real", "driven", "both"]).describe("both: each result says on which clock its case ran."),
  capabilities: z.array(z.string()),
  notes: z.array(z.string()),
  verdict: verdictSchema,
  baseline: baselineUseSchema.optional().describe("The baseline that the run was held against."),
  notCovered: z.record(z.string(), z.string()).describe("Clause id and the target file's reason."),
  results: z.array(resultSchema).max(MOST_RESULTS),
  stderrTail: z.string().describe("The end of what the target wrote to stderr, secrets blotted out."),
});

/** Nothing changes a report: what differs is another one. */
export type Report = Fixed<z.infer<typeof reportSchema>>;
export type ReportedResult = Report["results"][number];
export type ReportedFinding = NonNullable<ReportedResult["findings"]>[number];
/** What a case did before the exchanges of its failure. */
export type EarlierSteps = NonNullable<ReportedResult["before"]>;
export type ReportedStory = NonNullable<ReportedResult["story"]>;

/** A report before baseline and verdict: known deviations still stand in it as failures. */
export type ReportDraft = Omit<Report, "verdict" | "baseline">;
