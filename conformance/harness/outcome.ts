/** The parts of a result that programs read, as the report's schema has them. */
import { z } from "zod";
import { limitNames } from "../interface/limits.ts";
import { replaySchema, type ReplayFile } from "../story/replay-file.ts";

/** Deeply readonly; a replay file stays as it is, since its recursive type exceeds what TypeScript expands. */
export type Fixed<T> = T extends ReplayFile ? T : T extends object ? { readonly [Name in keyof T]: Fixed<T[Name]> } : T;

export const caseOutcomes = ["pass", "fail", "warn", "known", "not-applicable", "unreached", "error"] as const;
export type Outcome = (typeof caseOutcomes)[number];

const stepAnswer = z.strictObject({
  answer: z.string().describe("Status, `ok` and code, such as `409 ok:false revision_conflict`."),
  times: z.int().optional().describe("How many were alike; absent for one."),
  revision: z.int().optional().describe("The revision of the flow that it shows."),
  sent: z
    .strictObject({
      what: z.string(),
      action: z.string().optional(),
      from: z.number().min(0).max(1),
      to: z.number().min(0).max(1),
    })
    .optional()
    .describe("Of a request among several at the same time: when it was under way, as parts of the time of all."),
});
/** A response to a step of a story, or several that are alike. */
export type StepAnswer = Fixed<z.infer<typeof stepAnswer>>;

/** Limit of the schema: a shrunk story has a dozen steps, one that could not be shrunk some hundreds. */
const MOST_STEPS = 5000;

export const storySchema = z.strictObject({
  note: z.string().optional().describe("Where it comes from: seed and run."),
  steps: z
    .array(
      z.strictObject({
        what: z.string().describe("The request, or what else was done, such as `set_waiting flowId=f1`."),
        action: z.string().optional(),
        answers: z.array(stepAnswer),
        secondAnswers: z
          .array(stepAnswer)
          .optional()
          .describe("What came the second time, where the target answered otherwise."),
      }),
    )
    .max(MOST_STEPS)
    .describe("In their order; the last is where the story broke."),
  requests: z.int().describe("Requests beside the creation of flows."),
  replay: replaySchema.optional().describe("A replay file; absent where the target answers otherwise each time."),
});
export type StoryReport = Fixed<z.infer<typeof storySchema>>;
export type ToldStep = StoryReport["steps"][number];

const earlierStepSchema = z.strictObject({
  number: z.int().describe("From 1; earlier steps that are left out are counted."),
  what: z.string().describe('Such as `run_task runtime="acp"`.'),
  action: z.string().optional(),
  answer: z.string().optional().describe("Absent where nothing was sent."),
  times: z.int().optional().describe("How many alike followed each other; absent for one."),
  at: z
    .number()
    .optional()
    .describe("Where time matters: when it was over, in ms on the target's clock since the first."),
  until: z.number().optional().describe("Of several alike: when the last was over."),
});
/** What a case did before its failure: one request or several alike, or something beside requests. */
export type EarlierStep = Fixed<z.infer<typeof earlierStepSchema>>;

const combinationPart = z.strictObject({
  factor: z.string(),
  values: z.array(z.string()).describe("The values with which it fails."),
  right: z.int().describe("How many other values do not fail in their place."),
  passing: z.array(z.string()).optional().describe("Which those are."),
});
export const combinationSchema = z
  .array(combinationPart)
  .describe("Of a row that failed: the smallest combination of factors' values that fails by itself.");
/** One factor of a combination that fails. */
export type Combination = Fixed<z.infer<typeof combinationPart>>;

const met = z.strictObject({ met: z.int(), of: z.int() });
const coverageSchema = z.strictObject({
  pairs: met,
  triples: met,
  without: z.array(z.strictObject({ factor: z.string(), values: z.array(z.string()).readonly() })).readonly(),
});
/** How many combinations of a table's values were judged; `without`: the values that the target does not have. */
export type Coverage = Fixed<z.infer<typeof coverageSchema>>;

const measureSchema = z.strictObject({
  limit: z.enum(limitNames),
  stated: z.string().describe("As the interface has it."),
  measured: z.string().describe("The target's own value, for people."),
  least: z.number().describe("The value is not less; times in milliseconds."),
  most: z.number().optional().describe("The value is not more; absent where it was not found."),
  note: z.string().optional().describe("In which circumstances."),
});
export type Measure = Fixed<z.infer<typeof measureSchema>>;

/** What is said of one departure from the interface, in a run and in its report alike. */
export const findingFacts = {
  expected: z.string(),
  actual: z.string(),
  clause: z.string().optional().describe("The clause that it breaks, where the case knows which of its clauses."),
  combination: combinationSchema.optional(),
  seen: z
    .strictObject({ what: z.string(), where: z.string().optional(), expected: z.string().optional() })
    .optional()
    .describe(
      "`actual` for people: what was seen, and in which answer; `expected` with its value, where that is told.",
    ),
  story: storySchema.optional().describe("The few requests that show it, where it takes several."),
} as const;
const finding = z.strictObject(findingFacts);
export type FindingFacts = Fixed<z.infer<typeof finding>>;

/** What is said of one case, in a run and in its report alike. */
export const resultFacts = {
  id: z.string(),
  title: z.string(),
  clauses: z.array(z.string()),
  level: z.enum(["must", "should", "gap"]),
  outcome: z.enum(caseOutcomes),
  reason: z.string().optional(),
  at: z.string().optional().describe("What kept a case from being judged: a stop of a request's way, such as `body`."),
  cut: z
    .literal(true)
    .optional()
    .describe("The case ended at its last finding: what it would judge behind that is not known."),
  seenIn: z.array(z.string()).optional().describe("Of an invariant: the cases whose requests it was broken by."),
  file: z.string().optional().describe("The replay file that the case was read from; it is none of the suite's."),
  leftOut: z.literal(true).optional().describe("Not run because a part of the suite was asked for."),
  clock: z.enum(["real", "driven"]).optional().describe("The target's clock in the case; absent where it did not run."),
  late: z.literal(true).optional().describe("Not judged as time ran out: the reason says how busy the machine was."),
  ms: z.int(),
  requests: z.int(),
  before: z
    .array(earlierStepSchema)
    .optional()
    .describe("Of a failure: what the case did before the exchanges, if it matters."),
  printed: z
    .array(z.string())
    .optional()
    .describe(
      "Of a failure: the last lines that the target printed while it answered the case: a plugin, or a target on stderr where no other case ran.",
    ),
  judgedAlone: z
    .enum(["fails", "passes"])
    .optional()
    .describe(
      "Of one of the first failures: what the case does when it is judged alone, on a new start of the target without a reload.",
    ),
  measures: z.array(measureSchema).optional().describe("What the case found the limits to be."),
  row: z.array(z.string()).optional().describe("Of a row that fails by itself: what `--row` takes to play it again."),
  coverage: coverageSchema
    .optional()
    .describe("How many combinations of its factors' values a case made of rows has judged, and the values of none."),
} as const;
const facts = z.strictObject(resultFacts);
export type ResultFacts = Fixed<z.infer<typeof facts>>;
