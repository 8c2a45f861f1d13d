/**
 * `run --watch`: judges the target again at each save. What failed last comes first, then the cases of the same clauses,
 * then the others; a save, or a key, ends the round that goes on.
 */
import { createInterface } from "node:readline/promises";
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { countsInWords, firstNames, number } from "../report/facts.ts";
import { consoleText } from "../report/formats.ts";
import { progress } from "../report/progress.ts";
import type { Report } from "../report/report.ts";
import { failed, isTrouble } from "../report/verdict.ts";
import { selectCases } from "../run/selection.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { EXIT } from "./command.ts";
import { liveLine } from "./early.ts";
import { interruptible } from "./interrupt.ts";
import { judgeCases, reportOf, type Asked, type Judged, type OnResult } from "../library/judging.ts";
import { isJudged, keepFailed, lastFailed, type TargetIdentity } from "./last-run.ts";
import { complaint, hasColour, isTerminal, print, styled, tell } from "./print.ts";
import { watchFiles } from "./watched-files.ts";

/** Failures of one round that have a line when they come; its report tells the others. */
const MOST_LINES = 20;
const NAMES = 6;
/** Requests of a case that is judged first where no case failed last. */
const SMALL = 20;
/** Clears the screen, but not what the terminal can scroll back to: earlier rounds stay there. */
const CLEAR = "\u001b[2J\u001b[H";
const KEYS = "waiting for a save; a: judge all, f: what failed, p: a pattern, q: quit";

interface Watching {
  readonly chosen: readonly Case[];
  readonly held: TargetIdentity;
  readonly files: Parameters<typeof watchFiles>[0];
  readonly verbose: boolean;
}

interface Wake {
  readonly why: string;
  readonly key?: string;
}

/** Judges until `q` or a signal ends it. Gives the exit code of the last round's verdict, or the signal's. */
export async function watch(asked: Asked, { chosen, held, files, verbose }: Watching): Promise<number> {
  const wakes: Wake[] = [];
  let [notify, round] = [() => {}, new AbortController()];
  const onWake = (wake: Wake) => {
    wakes.push(wake);
    round.abort();
    notify();
  };
  const nextWake = async (): Promise<Wake> => {
    if (wakes.length === 0) await new Promise<void>((done) => (notify = done));
    const all = wakes.splice(0);
    return all.find(({ key }) => key === "q") ?? all.at(-1) ?? { why: "" };
  };
  const watcher = await watchFiles(files, (names) => onWake({ why: `${firstNames(names, 3)} saved` }));
  const keys = keysOf(process.stdin, (key) => {
    const why = { a: "all again", f: "what failed", p: "by name", q: "" }[key];
    if (why !== undefined) onWake({ why, key });
  });
  let [exitCode, suite]: [number, readonly Case[]] = [EXIT.incomplete, chosen];
  try {
    const { interrupted } = await interruptible(async ({ signal }) => {
      signal.addEventListener("abort", () => onWake({ why: "", key: "q" }));
      for (let wake: Wake = { why: "started" }; wake.key !== "q"; wake = await nextWake()) {
        round = new AbortController();
        if (wake.key === "a") suite = chosen;
        const failing = await lastFailed(held);
        const named = wake.key === "p" ? await casesByName(keys, chosen) : suite;
        if (named.length > 0) suite = named;
        const cases = wake.key === "f" ? suite.filter(({ id }) => failing.includes(id)) : named;
        const of = { why: wake.why, failing, held, verbose, signal: round.signal };
        if (cases.length > 0) exitCode = (await judgeRound(asked, cases, of)) ?? exitCode;
        else if (wake.key === "f") print("no case failed when it was judged last\n");
        if (!round.signal.aborted && process.stdin.isTTY) print(`${KEYS}\n`);
      }
    });
    return interrupted ?? exitCode;
  } finally {
    keys.close();
    await watcher.close();
  }
}

/** The cases that a typed pattern matches: none for a wrong one, which is told; all for an empty one. */
async function casesByName(keys: Keys, chosen: readonly Case[]): Promise<readonly Case[]> {
  const pattern = (await keys.ask("case or pattern with * and ? (empty: all): ")).trim();
  try {
    return pattern === "" ? chosen : selectCases(chosen, { cases: [pattern], quick: false });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell(complaint(error, []));
    return [];
  }
}

interface Round {
  readonly why: string;
  readonly failing: readonly string[];
  readonly held: TargetIdentity;
  readonly verbose: boolean;
  readonly signal: AbortSignal;
}

/** Gives the verdict's exit code; undefined for a round that was ended early. */
async function judgeRound(asked: Asked, cases: readonly Case[], round: Round): Promise<number | undefined> {
  const { why, failing, held, verbose, signal } = round;
  const began = performance.now();
  const terminal = isTerminal(process.stdout);
  const shown = progress({ terminal, write: styled.print, columns: () => process.stdout.columns });
  if (terminal) styled.print(CLEAR);
  const steps = stepsOf(cases, failing);
  const again = cases.filter(({ id }) => failing.includes(id)).length;
  const first = again > 0 && steps.length > 1 ? `, the ${again} that failed last first` : "";
  shown.onNotice(`${new Date().toTimeString().slice(0, 8)} ${why}: judging ${number(cases.length, "case")}${first}`);
  let lines = 0;
  const onResult: OnResult = (result, _, redact) => {
    shown.onResult(result, cases.length);
    const isFixed = failing.includes(result.id) && isJudged(result) && !isTrouble(result);
    const line = isFixed ? `FIXED     ${result.id}` : liveLine(result, redact);
    if (line === undefined || lines >= MOST_LINES) return;
    lines += 1;
    shown.onNotice(lines === 1 ? `${line} (after ${inSeconds(performance.now() - began)})` : line);
  };
  try {
    // One for the round: what removes secrets from the last step's texts removes those of the steps before.
    const keyring = await keyringFor(asked.target);
    const judged: Judged[] = [];
    let report: Report | undefined;
    for (const step of steps) {
      judged.push(await judgeCases(asked, step, { onResult, signal }, keyring));
      report = reportOf(asked, together(judged));
      await keepFailed(report, held);
    }
    if (signal.aborted || report === undefined) return undefined;
    shown.end();
    await tellRound(report, { failing, verbose, ms: performance.now() - began });
    return report.verdict.exitCode;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof StartError || error instanceof UsageError)) throw error;
    shown.end();
    print(complaint(error, []));
    return error instanceof StartError ? EXIT.unreachable : EXIT.usage;
  } finally {
    shown.end();
  }
}

/** Sends few requests to the configuration that all share, and meets no limit. */
const isSmall = ({ requests, variant, meetsLimits, watch: isInvariant }: Case) =>
  requests <= SMALL && variant === undefined && meetsLimits !== true && isInvariant === undefined;

/** Each is judged on a start of its own, so that the first answer does not wait for the others. */
function stepsOf(cases: readonly Case[], failing: readonly string[]): Case[][] {
  const again = cases.filter(({ id }) => failing.includes(id));
  // Where all passed, the small ones tell most of what a save can break.
  const first = again.length > 0 ? again : cases.filter(isSmall);
  const clauses = new Set(first.flatMap((item) => item.clauses));
  const isNear = (item: Case) => item.clauses.some((clause) => clauses.has(clause));
  const others = cases.filter((item) => !first.includes(item));
  const rest = [...others.filter(isNear), ...others.filter((item) => !isNear(item))];
  return [first, rest].filter((step) => step.length > 0);
}

/** Several runs as one. Each watches the invariants: of their results the worst counts. */
function together(judged: readonly Judged[]): Judged {
  const results = new Map<string, CaseResult>();
  for (const result of judged.flatMap(({ outcome }) => outcome.results)) {
    const earlier = results.get(result.id);
    if (earlier === undefined || !isTrouble(earlier) || failed(result)) results.set(result.id, result);
  }
  const last = judged.at(-1) as Judged;
  const ms = judged.reduce((sum, { outcome }) => sum + outcome.ms, 0);
  const notes = [...new Set(judged.flatMap(({ outcome }) => outcome.notes))];
  return { ...last, outcome: { ...last.outcome, results: [...results.values()], ms, notes } };
}

interface Told extends Pick<Round, "failing" | "verbose"> {
  readonly ms: number;
}

/** The report on a terminal, a line in a log; and what the save has changed. */
async function tellRound(report: Report, { failing, verbose, ms }: Told): Promise<void> {
  const { results, verdict } = report;
  const red = [...verdict.failed, ...verdict.open];
  const judged = results.filter(isJudged).map(({ id }) => id);
  const fixed = failing.filter((id) => judged.includes(id) && !red.includes(id));
  const broke = red.filter((id) => !failing.includes(id));
  const changes = Object.entries({ fixed, broke }).filter(([, ids]) => ids.length > 0);
  if (isTerminal(process.stdout))
    styled.print(await consoleText(report, hasColour(process.stdout), { verbose, columns: process.stdout.columns }));
  else print(`${number(results.length, "case")} in ${inSeconds(ms)}: ${countsInWords(verdict.counts)}\n`);
  const told = changes.map(([what, ids]) => `${ids.length} ${what}: ${firstNames(ids, NAMES)}`);
  if (told.length > 0) print(`since the last round ${told.join("; ")}\n`);
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

type Keys = ReturnType<typeof keysOf>;

const CTRL_C = "\u0003";

/** Calls `onKey` with each character that is typed. A terminal in raw mode sends no signal for Ctrl-C: this does. */
function keysOf(stdin: NodeJS.ReadStream, onKey: (key: string) => void) {
  if (!stdin.isTTY) return { ask: async (_question: string) => "", close: () => {} };
  const listen = (data: Buffer | string) => {
    const key = String(data);
    if (key === CTRL_C) process.kill(process.pid, "SIGINT");
    else onKey(key);
  };
  const open = () => {
    stdin.setRawMode(true);
    stdin.on("data", listen).resume();
  };
  const close = () => {
    stdin.off("data", listen).pause();
    stdin.setRawMode(false);
  };
  open();
  return {
    /** Asks for a line of text; single keys have no effect until it is given. */
    async ask(question: string) {
      close();
      const lines = createInterface({ input: stdin, output: process.stdout });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
        open();
      }
    },
    close,
  };
}
