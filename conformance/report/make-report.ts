/** Makes the report of a run: its facts without secrets first, then baseline and verdict. */
import type { Case } from "../harness/case.ts";
import type { EarlierStep, StepAnswer, StoryReport } from "../harness/outcome.ts";
import type { CaseResult } from "../harness/result.ts";
import { bodyBytesOf, neutral, printable, textOf, type Answer, type Exchange } from "../http/exchange.ts";
import type { Redact } from "../http/redact.ts";
import { replayLine } from "../http/replay-line.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Depth } from "../properties/search.ts";
import type { RunOutcome } from "../run/run.ts";
import type { Selection } from "../run/selection.ts";
import type { Target } from "../targets/target-file.ts";
import { againFor } from "./again.ts";
import { applyBaseline, expiringSoon } from "./baseline/apply.ts";
import type { BaselineEntry } from "./baseline/baseline.ts";
import { joined, signatureOf } from "./baseline/signature.ts";
import {
  REPORT_FORMAT,
  type EarlierSteps,
  type Report,
  type ReportDraft,
  type ReportedResult,
  type ReportedStory,
} from "./report.ts";
import { shortHash, suiteIdentity } from "./suite-identity.ts";
import { failed, interruptedVerdict, isPartial, verdictOf, type FailOn, type SignalCode } from "./verdict.ts";

/** Characters of a text. */
const LONGEST = 1000;
/** Of one answer: a target that sends thousands should not bury the rest. */
const SHOWN_HEADERS = 40;
/** Characters of a step before the exchanges. */
const SHOWN_STEP = 300;
/** Characters of an answer's body. */
const SHOWN_BODY = 600;
/** Bytes of a request's body that are looked at. */
const READ_BODY = 2000;

interface ReportSource {
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
  /** Why the run ended early on request. */
  readonly stopped?: string | undefined;
}

/** The facts of a run, secrets taken out. */
export function draftReport(source: ReportSource): ReportDraft {
  const { target, profile, outcome: run, suite, redact, again, stopped } = source;
  const depth = source.depth && { seeds: [source.depth.seed] };
  const readings = new Map(suite.map(({ id, reading }) => [id, reading]));
  return {
    format: REPORT_FORMAT,
    suite: suiteIdentity(suite),
    target: { name: target.name, product: target.product },
    profile: profile.name,
    profileHash: shortHash(JSON.stringify([profile.fields, profile.gaps])),
    selection: source.selection,
    failOn: source.failOn,
    depth,
    again,
    stopped,
    startedAt: source.startedAt.toISOString(),
    ms: run.ms,
    clock: run.clock,
    capabilities: [...run.capabilities],
    notes: run.notes.map((note) => neutral(redact(note), LONGEST)),
    notCovered: target.notCovered,
    results: run.results.map((result) => {
      const reading = result.outcome === "pass" ? undefined : readings.get(result.id);
      // What the kit started itself is stopped: nobody answers a request that is sent again by hand.
      const byHand =
        target.baseUrl === undefined ? undefined : (againFor(result, { again, depth }) ?? `the case ${result.id}`);
      return { ...reportedResult(result, redact, byHand), reading };
    }),
    stderrTail: redact(run.stderrTail)
      .split("\n")
      .map((line) => printable(line))
      .join("\n"),
  };
}

/** Holds a draft against the baseline and adds the verdict. */
export function conclude(draft: ReportDraft, entries: readonly BaselineEntry[] | undefined): Report {
  const { notCovered, failOn, suite } = draft;
  const day = draft.startedAt.slice(0, 10);
  const partial = isPartial(draft.results, suite.cases);
  const { results, faults, untested } = applyBaseline(entries ?? [], draft.results, day, partial);
  const soon = expiringSoon(entries ?? [], day);
  return {
    ...draft,
    // Merged from reports that say it already.
    notes: [...new Set([...draft.notes, ...(soon === undefined ? [] : [soon])])],
    results,
    baseline: entries && { entries: [...entries], faults, untested },
    verdict: verdictOf({ suiteSize: suite.cases, results, notCovered, failOn, baselineFaults: faults.length }),
  };
}

function reportedResult(result: CaseResult, redact: Redact, rerun?: string): ReportedResult {
  const { id, title, clauses, level, outcome, file, leftOut, clock, ms, requests } = result;
  const { seenIn, story, visits, measures, coverage, combination, before = [] } = result;
  const safe = (text: string | undefined) => (text === undefined ? undefined : neutral(redact(text), LONGEST));
  const texts = { reason: safe(result.reason), expected: safe(result.expected), actual: safe(result.actual) };
  return {
    id,
    title,
    clauses: [...clauses],
    level,
    outcome,
    file,
    leftOut,
    ...texts,
    clock,
    ms,
    requests,
    exchanges: result.exchanges.map((exchange) => reportedExchange(exchange, redact, rerun)),
    visits,
    coverage,
    combination: combination?.map((part) => ({ ...part, values: [...part.values] })),
    measures: measures && [...measures],
    before: before.length === 0 ? undefined : before.map((step) => reportedStep(step, redact)),
    signature: failed(result) ? signatureFor(result, texts, redact) : undefined,
    seenIn: seenIn && [...seenIn],
    story: story && reportedStory(story, redact),
  };
}

function reportedStep({ what, action, answer, ...step }: EarlierStep, redact: Redact): EarlierSteps[number] {
  const safe = (text: string) => neutral(redact(text), SHOWN_STEP);
  return { ...step, what: safe(what), action: action && safe(action), answer: answer && safe(answer) };
}

/** Of a result, secrets taken out. */
type Texts = Readonly<Record<"expected" | "actual", string | undefined>>;

function signatureFor({ causes }: CaseResult, { expected = "", actual = "" }: Texts, redact: Redact): string {
  if (causes === undefined) return signatureOf(expected, actual);
  const safe = (text: string) => neutral(redact(text), LONGEST);
  return joined(causes.map((cause) => signatureOf(safe(cause.expected), safe(cause.actual))));
}

function reportedStory({ note, steps, requests, replay }: StoryReport, redact: Redact): ReportedStory {
  const safe = (text: string) => neutral(redact(text), LONGEST);
  const answersOf = (answers: readonly StepAnswer[]) =>
    answers.map(({ answer, sent, ...others }) => ({
      ...others,
      answer: safe(answer),
      sent: sent && { ...sent, what: safe(sent.what), action: sent.action && safe(sent.action) },
    }));
  return {
    note: note && safe(note),
    steps: steps.map(({ what, action, answers, secondAnswers }) => ({
      what: safe(what),
      action: action && safe(action),
      answers: answersOf(answers),
      secondAnswers: secondAnswers && answersOf(secondAnswers),
    })),
    requests,
    // The kit made the steps itself; these two texts may quote the target.
    replay: replay && { ...replay, expected: redact(replay.expected), actual: redact(replay.actual) },
  };
}

function reportedExchange(exchange: Exchange, redact: Redact, rerun?: string): ReportedResult["exchanges"][number] {
  const { request, answer, from, fault, sentBytes } = exchange;
  const action = actionIn(request.body);
  return {
    from,
    request: {
      method: request.method,
      path: neutral(redact(request.path), 2000),
      headers: request.headers.map(([name, value]) => [redact(name), neutral(redact(value))]),
      body: neutral(sentExcerpt(request.body, redact), 800),
      bodyBytes: request.body.byteLength,
      action: action && neutral(redact(action), SHOWN_STEP),
    },
    sentBytes,
    fault,
    answer: answer && reportedAnswer(answer, redact),
    replay: rerun && replayLine(exchange, redact, rerun),
  };
}

function reportedAnswer(answer: Answer, redact: Redact): ReportedResult["exchanges"][number]["answer"] {
  const headers = [...answer.headers].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  return {
    status: answer.status,
    headers: headers.slice(0, SHOWN_HEADERS).map(([name, value]) => [neutral(redact(name)), neutral(redact(value))]),
    headersLeftOut: headers.length > SHOWN_HEADERS ? headers.length - SHOWN_HEADERS : undefined,
    body: neutral(bodyExcerpt(answer, redact), 800),
    bodyBytes: bodyBytesOf(answer),
  };
}

function actionIn(body: Uint8Array): string | undefined {
  if (body.byteLength > READ_BODY) return undefined;
  try {
    const { action } = (JSON.parse(new TextDecoder().decode(body)) ?? {}) as { action?: unknown };
    return typeof action === "string" ? action : undefined;
  } catch {
    return undefined;
  }
}

/** Of a body that may be padded to a size: without the padding, which its end would be all of. */
function sentExcerpt(body: Uint8Array, redact: Redact): string {
  const text = redact(new TextDecoder().decode(body.subarray(0, READ_BODY))).trimEnd();
  const isWhole = body.byteLength <= READ_BODY && text.length <= SHOWN_BODY;
  return isWhole ? text : `${text.slice(0, SHOWN_BODY)}... (${body.byteLength} bytes)`;
}

function bodyExcerpt(answer: Answer, redact: Redact): string {
  // Redacted before the cut: redaction would miss a secret that is cut in two.
  const text = redact(textOf(answer));
  return text.length > SHOWN_BODY ? `${text.slice(0, SHOWN_BODY)}... (${bodyBytesOf(answer)} bytes)` : text;
}

/** The same report of a run that was interrupted, which claims nothing about the target. `judged`: how far it came; `exitCode`: that of the signal. */
export function interruptedReport(report: Report, judged: string, exitCode: SignalCode): Report {
  const notes = [...report.notes, `interrupted: ${judged}`];
  return { ...report, notes, verdict: interruptedVerdict(report.verdict, exitCode) };
}
