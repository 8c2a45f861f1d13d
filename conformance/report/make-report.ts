/** Makes the report of a run: its facts without secrets first, then baseline and verdict. */
import { safeStrings } from "../foundation/safe-text.ts";
import type { Case } from "../harness/case.ts";
import type { StoryReport } from "../harness/outcome.ts";
import { inWords } from "../harness/finding.ts";
import { storyIn, type CaseResult } from "../harness/result.ts";
import type { WatchedExchange } from "../harness/watcher.ts";
import { bodyBytesOf, bodyFields, neutral, printable, textOf, type Answer, type Exchange } from "../http/exchange.ts";
import type { Redact } from "../http/redact.ts";
import { replayLine } from "../http/replay-line.ts";
import type { RunContext } from "../run/context.ts";
import type { RunOutcome } from "../run/run.ts";
import { againFor } from "./again.ts";
import { applyBaseline, expiringSoon } from "./baseline/apply.ts";
import type { BaselineEntry } from "./baseline/baseline.ts";
import { signatureOf } from "./baseline/signature.ts";
import { firstOfEach, findingKey, waysIn } from "./findings.ts";
import { REPORT_FORMAT, type Report, type ReportDraft, type ReportedResult, type ReportedStory } from "./report.ts";
import { shortHash, suiteIdentity } from "./suite-identity.ts";
import { failed, isPartial, verdictOf, type SignalCode } from "./verdict.ts";

/** Characters of a text. */
const LONGEST = 1000;
/** Of one answer: a target that sends thousands should not bury the rest. */
const SHOWN_HEADERS = 40;
const SHOWN_FINDINGS = 12;
/** Characters of a step before the exchanges. */
const SHOWN_STEP = 300;
/** Characters of an answer's body. */
const SHOWN_BODY = 600;
/** Bytes of a request's body that are looked at. */
const READ_BODY = 2000;

interface ReportSource
  extends
    Pick<RunContext, "target" | "profile" | "startedAt" | "redact">,
    Pick<Report, "selection" | "failOn" | "again" | "serve" | "stopped"> {
  readonly outcome: RunOutcome;
  readonly suite: readonly Case[];
  readonly seed?: number | undefined;
}

/** The facts of a run, secrets taken out. */
export function draftReport(source: ReportSource): ReportDraft {
  const { target, profile, outcome: run, suite, redact, again, serve, seed, stopped } = source;
  const depth = seed === undefined ? undefined : { seeds: [seed] };
  const readings = new Map(suite.map(({ id, reading }) => [id, reading]));
  const variants = new Map(suite.map(({ id, variant }) => [id, variant]));
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
    serve,
    stopped,
    startedAt: source.startedAt.toISOString(),
    ms: run.ms,
    clock: run.clock,
    capabilities: run.capabilities,
    notes: cleaned(run.notes, redact),
    notCovered: target.notCovered,
    results: run.results.map((result) => {
      const reading = result.outcome === "pass" ? undefined : readings.get(result.id);
      // What the kit started itself is stopped; a plugin can be served by hand, with the standard configuration.
      const isServed = serve !== undefined && variants.get(result.id) === undefined;
      const byHand =
        target.baseUrl === undefined && !isServed
          ? undefined
          : (againFor({ ...result, story: storyIn(result) }, { again, depth }) ?? `the case ${result.id}`);
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
    results: results.map(headed),
    baseline: entries && { entries, faults, untested },
    verdict: verdictOf({ suiteSize: suite.cases, results, notCovered, failOn, baselineFaults: faults.length }),
  };
}

function reportedResult(result: CaseResult, redact: Redact, rerun?: string): ReportedResult {
  const { reason, findings = [], exchanges, before = [], printed = [], ...facts } = result;
  const sent = (shown: readonly Exchange[]) => shown.map((exchange) => reportedExchange(exchange, redact, rerun));
  const found = findings.map(({ exchanges: shown = [], story, ...finding }) => {
    const texts = cleaned(finding, redact);
    const signature = signatureOf(texts.expected, texts.actual);
    return { ...texts, signature, story: story && reportedStory(story, redact), shown };
  });
  const told = firstOfEach(found, findingKey).map(({ shown, ...one }, place) =>
    place < SHOWN_FINDINGS ? { ...one, exchanges: sent(shown) } : one,
  );
  return {
    ...facts,
    ...cleaned({ reason }, redact),
    exchanges: sent(exchanges),
    printed: printed.length === 0 ? undefined : cleaned(printed, redact),
    before: before.length === 0 ? undefined : cleaned(before, redact, SHOWN_STEP),
    findings: failed(result) ? told : undefined,
  };
}

/** The result, told by the first of its findings that the baseline does not know; of an invariant by all of them. */
function headed(result: ReportedResult): ReportedResult {
  const { findings = [], seenIn, row, before, expected = "", actual = "", reason } = result;
  const fresh = findings.filter(({ known }) => known !== true);
  const [first, ...others] = fresh.length === 0 ? findings : fresh;
  if (first === undefined) return result;
  const told = seenIn === undefined ? [first] : [first, ...others];
  const said = {
    expected: [...new Set(told.map(({ expected, seen }) => seen?.expected ?? expected))].join("; "),
    actual: waysIn(told),
  };
  const isFirst = first === findings[0];
  const isOwn = isFirst && reason !== undefined && reason !== inWords({ expected, actual });
  const [story, ...otherStories] = [first, ...findings.filter((one) => one !== first)].flatMap(
    (one) => one.story ?? [],
  );
  return {
    ...result,
    ...said,
    reason: isOwn ? reason : inWords(said),
    combination: first.combination,
    row: row && first.combination?.map(({ factor, values: [value] }) => `${factor}=${value}`),
    exchanges: told.flatMap(({ exchanges = [] }) => exchanges).slice(0, SHOWN_FINDINGS),
    story,
    otherStories: otherStories.length === 0 ? undefined : otherStories,
    before: isFirst ? before : undefined,
  };
}

/** The value, secrets taken out of its texts, each on one line and not very long. */
const cleaned = <T>(value: T, redact: Redact, longest = LONGEST): T =>
  safeStrings(value, (text) => neutral(redact(text), longest));

function reportedStory({ replay, ...told }: StoryReport, redact: Redact): ReportedStory {
  // The kit made the steps to replay itself; these two texts may quote the target.
  const texts = replay && { expected: redact(replay.expected), actual: redact(replay.actual) };
  return { ...cleaned(told, redact), replay: replay && { ...replay, ...texts } };
}

/** An exchange as reports show it: secrets taken out, and long texts cut. */
export function reportedExchange(
  exchange: Exchange,
  redact: Redact,
  rerun?: string,
): ReportedResult["exchanges"][number] {
  const { request, answer, from, fault, sentBytes } = exchange;
  const { action } = request.body.byteLength > READ_BODY ? {} : bodyFields(request);
  return {
    from,
    request: {
      method: request.method,
      path: neutral(redact(request.path), 2000),
      headers: request.headers.map(([name, value]) => [redact(name), neutral(redact(value))]),
      body: sentExcerpt(request.body, redact),
      bodyBytes: request.body.byteLength,
      action: typeof action === "string" ? neutral(redact(action), SHOWN_STEP) : undefined,
    },
    sentBytes,
    fault,
    answer: answer && reportedAnswer(answer, redact),
    replay: rerun && replayLine(exchange, redact, rerun),
  };
}

/**
 * The line of `run --log` for one exchange, as long as in a report and without secrets. `sent` and `ended` count what goes
 * out and what comes back in one run, so that two requests which overlap can be told; `at`: ms since the runner started.
 */
export function trafficLine({ of, exchange, sent, order, at }: WatchedExchange, redact: Redact): string {
  const line = { case: of.id, sent, ended: order, at: Math.round(at.real), ...reportedExchange(exchange, redact) };
  return `${JSON.stringify(line)}\n`;
}

function reportedAnswer(answer: Answer, redact: Redact): ReportedResult["exchanges"][number]["answer"] {
  const headers = [...answer.headers].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  return {
    status: answer.status,
    headers: headers.slice(0, SHOWN_HEADERS).map(([name, value]) => [neutral(redact(name)), neutral(redact(value))]),
    headersLeftOut: headers.length > SHOWN_HEADERS ? headers.length - SHOWN_HEADERS : undefined,
    body: excerpt(redact(textOf(answer)), bodyBytesOf(answer)),
    bodyBytes: bodyBytesOf(answer),
  };
}

/** Of a body that may be padded to a size: without the padding, which its end would be all of. */
function sentExcerpt(body: Uint8Array, redact: Redact): string {
  const text = redact(new TextDecoder().decode(body.subarray(0, READ_BODY))).trimEnd();
  return excerpt(text, body.byteLength, body.byteLength <= READ_BODY);
}

/** `text`: of a body, redacted before the cut: redaction would miss a secret that is cut in two. */
const excerpt = (text: string, bytes: number, isWhole = true): string =>
  neutral(isWhole && text.length <= SHOWN_BODY ? text : `${text.slice(0, SHOWN_BODY)}... (${bytes} bytes)`, 800);

/**
 * The same report of a run that a signal ended: what was judged counts, but nothing is concluded from it. `judged`: how
 * far it came; `exitCode`: that of the signal.
 */
export function interruptedReport(report: Report, judged: string, exitCode: SignalCode): Report {
  const notes = [...report.notes, `interrupted: ${judged}`];
  const verdict = { ...report.verdict, judgement: "interrupted", partial: true, exitCode, uncovered: [] } as const;
  return { ...report, notes, verdict };
}
