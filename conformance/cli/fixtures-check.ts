/** Says which answers of a run with fixtures differ from what is expected, clause by clause. */
import { readFile } from "node:fs/promises";
import { envelopeSeen, readAnswers, type Recorded, type RecordedAnswer } from "../../fixtures/answers.ts";
import type { Fixture } from "../../fixtures/fixture.ts";
import { labelOf, stepsOf } from "../../fixtures/formats/format.ts";
import { differences } from "../../fixtures/judge.ts";
import { ledger, type ClauseId } from "../interface/clauses/index.ts";
import { printable } from "../http/exchange.ts";
import { wrap } from "../report/wrap.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT } from "./command.ts";
import type { Selection } from "./fixtures-selection.ts";

interface Outcome {
  readonly asExpected: number;
  /** Fixtures whose precondition was not answered as expected, so their own answer says nothing. */
  readonly unreached: readonly string[];
  readonly differing: readonly { readonly fixture: Fixture; readonly lines: readonly string[] }[];
  readonly withoutAnswer: number;
  readonly unknown: readonly string[];
}

/** Judges an answers file and prints what differs; gives the exit code, one of those of `run`: 4 also where nothing is judged. */
export async function checkAnswers(file: string, selection: Selection): Promise<number> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `the answers ${file} could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const recorded = readAnswers(text);
  const outcome = judged(recorded, selection.fixtures());
  process.stdout.write(`${report(outcome, recorded).join("\n")}\n`);
  if (recorded.unreadable.length > 0 || judgedOf(outcome) === 0) return EXIT.incomplete;
  return outcome.differing.length > 0 || outcome.unreached.length > 0 ? EXIT.notConformant : EXIT.ok;
}

/** How many fixtures the answers say anything of. */
const judgedOf = ({ asExpected, differing, unreached }: Outcome): number =>
  asExpected + differing.length + unreached.length;

function judged({ answers }: Recorded, fixtures: Iterable<Fixture>): Outcome {
  const byLabel = new Map<string, RecordedAnswer[]>();
  for (const answer of answers) {
    const beside = byLabel.get(answer.label);
    if (beside === undefined) byLabel.set(answer.label, [answer]);
    else beside.push(answer);
  }
  const known = new Set<string>();
  const unreached: string[] = [];
  const differing: { fixture: Fixture; lines: string[] }[] = [];
  let [asExpected, withoutAnswer] = [0, 0];
  for (const fixture of fixtures) {
    const own = byLabel.get(fixture.id);
    const steps = stepsOf(fixture);
    const wrong = steps.map(({ expect }, index) => {
      const label = labelOf(fixture, index, steps);
      known.add(label);
      return (byLabel.get(label) ?? []).flatMap((answer) =>
        differences(expect, { status: answer.status, body: envelopeSeen(answer, expect) }),
      );
    });
    const isSequence = fixture.tags.includes("sequence");
    const early = wrong.slice(0, -1).flatMap((lines, index) => lines.map((line) => `request ${index + 1}: ${line}`));
    const last = wrong.at(-1) ?? [];
    if (own === undefined) withoutAnswer += 1;
    else if (early.length > 0 && !isSequence) unreached.push(`${fixture.id}: ${early[0]}`);
    else if (early.length + last.length > 0) differing.push({ fixture, lines: [...new Set([...early, ...last])] });
    else asExpected += 1;
  }
  const unknown = [...byLabel.keys()].filter((label) => !known.has(label));
  return { asExpected, unreached, differing, withoutAnswer, unknown };
}

function report(outcome: Outcome, { unnamed, unreadable }: Recorded): string[] {
  const { asExpected, unreached, differing, withoutAnswer, unknown } = outcome;
  const lines: string[] = [];
  for (const clause of new Set(differing.flatMap(({ fixture }) => fixture.clauses))) {
    const { section, text } = ledger[clause as ClauseId];
    lines.push(...wrap(`${clause}, section ${section}: ${text}`, "", 2));
    for (const { fixture, lines: faults } of differing) {
      if (!fixture.clauses.includes(clause)) continue;
      lines.push(...wrap(`${fixture.id}  ${fixture.title}`, "  ", 4));
      lines.push(...faults.flatMap((fault) => wrap(printable(fault), "    ", 6)));
    }
  }
  if (unreached.length > 0)
    lines.push(
      "not reached: a request before it was not answered as expected",
      ...unreached.map((each) => `  ${printable(each)}`),
    );
  lines.push(...unreadable);
  if (unnamed > 0) lines.push(`${unnamed} records name no fixture (by a comment or an x-fixture-id header)`);
  if (unknown.length > 0)
    lines.push(
      `${unknown.length} answers name fixtures that these options do not give, such as ${printable(unknown[0] ?? "")}`,
    );
  if (judgedOf(outcome) === 0) lines.push("nothing was judged: no answer is one to these fixtures");
  lines.push(
    `${asExpected} as expected, ${differing.length} not, ${unreached.length} not reached, ${withoutAnswer} without an answer`,
  );
  return lines;
}
