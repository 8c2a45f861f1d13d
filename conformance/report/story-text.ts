/** A story as text: its steps, numbered, each with what was answered. */
import { firstAndLast } from "../foundation/first-and-last.ts";
import type { EarlierSteps, ReportedStory } from "./report.ts";

/** Columns of a line that shows when a request was under way. */
const COLUMNS = 24;

type ToldStep = ReportedStory["steps"][number];
type StepAnswer = ToldStep["answers"][number];

export function storyText({ note, steps, replay }: ReportedStory): string[] {
  const lines = steps.flatMap((step, index) => {
    // Without a replay file the target answered otherwise each time: no step is the wrong one.
    const here = replay !== undefined && index === steps.length - 1 ? "   <- here" : "";
    const overlapping = step.answers.filter(({ sent }) => sent !== undefined);
    const came = cameOf(step);
    const answer = came === "" || came.startsWith(";") ? came : ` -> ${came}`;
    const first = `${String(index + 1).padStart(3)}. ${step.what}${answer}${here}`;
    return [first, ...overlapping.map(barLine)];
  });
  return note === undefined ? lines : [note, ...lines];
}

/** What a case did before its failure, in `most` lines: each step with its time or its number; a line says how many are left out. */
export function earlierText(all: EarlierSteps, most: number): string[] {
  for (let shown = Math.min(most, all.length); ; shown -= 1) {
    const lines = earlierLines(firstAndLast(all, shown));
    if (lines.length <= most || shown <= LEAST) return lines;
  }
}

/** The first two steps and the last one. */
const LEAST = 3;

const earlierLines = (steps: EarlierSteps): string[] =>
  steps.flatMap(({ number, what, answer, times, at, until }, index) => {
    const before = steps[index - 1];
    const left = number - (before?.number ?? 0) - (before?.times ?? 1);
    const came = answer === undefined ? "" : ` -> ${answer}`;
    const many = times === undefined ? "" : ` (${times} times)`;
    const when =
      at === undefined
        ? `${number}.`
        : `t = ${secondsOf(at)}${until === undefined ? "" : ` to ${secondsOf(until)}`} s:`;
    return [
      ...(left > 0 ? [`... ${left === 1 ? "1 other step" : `${left} other steps`}`] : []),
      `${when} ${what}${came}${many}`,
    ];
  });

const secondsOf = (ms: number): number => Number((ms / 1000).toFixed(3));

/** `409 ok:false revision_conflict`, with how many and the revision where they matter. */
function answerText({ answer, times, revision }: StepAnswer): string {
  return `${times === undefined ? "" : `${times} x `}${answer}${revision === undefined ? "" : `, revision ${revision}`}`;
}

const answersText = (answers: readonly StepAnswer[]) => answers.map(answerText).join(", ");

/** What came, and what came the second time; without requests at the same time, which have a line each. */
function cameOf({ answers, secondAnswers }: ToldStep): string {
  const first = answers.some(({ sent }) => sent !== undefined) ? "" : answersText(answers);
  if (secondAnswers === undefined) return first;
  return `${first}; the second time ${answersText(secondAnswers) || "no answer was judged"}`;
}

/** When a request was under way, beside the others at the same time. */
function barLine(one: StepAnswer): string {
  const { from = 0, to = 1, what = "" } = one.sent ?? {};
  const [start, end] = [from, to].map((part) => Math.round(part * COLUMNS)) as [number, number];
  const bar = `${" ".repeat(start)}${"=".repeat(Math.max(1, end - start))}`.padEnd(COLUMNS + 1);
  return `     |${bar}| ${what} -> ${answerText(one)}`;
}
