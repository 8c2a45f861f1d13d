/** Reports which recorded answers differ from those that the fixtures expect, clause by clause. */
import { differences, readAnswers, type AnswersRead } from "../../fixtures/answers.ts";
import { labelOf, madeWithIn } from "../../fixtures/formats/format.ts";
import { readRecords, type FixtureRecord } from "../../fixtures/schema.ts";
import { clauseOf } from "../interface/clauses/index.ts";
import { readText } from "../foundation/read-file.ts";
import { grouped } from "../foundation/grouped.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { printable } from "../http/exchange.ts";
import { number } from "../report/facts.ts";
import { wrap } from "../report/wrap.ts";
import { EXIT, orUsageError } from "./command.ts";
import { print } from "./print.ts";
import { choiceIn, chooseFixtures } from "./fixtures-selection.ts";

type Outcome = ReturnType<typeof compared>;

/**
 * Checks an answers file and prints what differs; returns an exit code of `run`, 4 also if no answer belongs to a
 * fixture. Throws `UsageError` where answers are to other fixtures than those of the file.
 */
export async function checkAnswers(fixturesFile: string, answersFile: string): Promise<number> {
  const fixtures = await fixturesIn(fixturesFile);
  const text = await readText(answersFile, `the answers ${answersFile}`);
  const recorded = readAnswers(text);
  const outcome = compared(recorded, fixtures, fixturesFile);
  print(`${report(outcome, recorded).join("\n")}\n`);
  if (recorded.unreadable.length > 0 || answeredOf(outcome) === 0) return EXIT.incomplete;
  return outcome.differing.length > 0 || outcome.unreached.length > 0 ? EXIT.notConformant : EXIT.ok;
}

/** The largest file of fixtures that is read, MB: 100,000 random fixtures take less. */
const MOST_FIXTURES_MB = 400;

/** The fixtures of a file: made again by the options in its head, or read, from NDJSON and JSON. */
async function fixturesIn(file: string): Promise<Iterable<FixtureRecord>> {
  const text = await readText(file, `the fixtures ${file}`, MOST_FIXTURES_MB);
  const query = madeWithIn(text);
  if (query !== undefined) return (await chooseFixtures(choiceIn(query))).fixtures;
  return orUsageError(`${file} has no fixtures, expected a file that fixtures has written`, () => readRecords(text));
}

const answeredOf = ({ asExpected, differing, unreached }: Outcome): number =>
  asExpected + differing.length + unreached.length;

function compared({ answers }: AnswersRead, fixtures: Iterable<FixtureRecord>, file: string) {
  const byLabel = grouped(answers, ({ label }) => label);
  const known = new Set<string>();
  // If a request that prepares a fixture got a wrong answer, the fixture's own answer proves nothing.
  const unreached: string[] = [];
  const differing: { fixture: FixtureRecord; lines: string[] }[] = [];
  let [asExpected, withoutAnswer] = [0, 0];
  for (const fixture of fixtures) {
    const own = byLabel.get(fixture.id);
    const steps = [...fixture.before, fixture];
    const wrong = steps.map(({ expect }, index) => {
      const label = labelOf(fixture, index, steps);
      known.add(label);
      return (byLabel.get(label) ?? []).flatMap((answer) => differences(expect, answer));
    });
    const isSequence = fixture.tags.includes("sequence");
    const early = wrong.slice(0, -1).flatMap((lines, index) => lines.map((line) => `request ${index + 1}: ${line}`));
    const last = wrong.at(-1) ?? [];
    if (own === undefined) withoutAnswer += 1;
    else if (early.length > 0 && !isSequence) unreached.push(`${fixture.id}: ${early[0]}`);
    else if (early.length + last.length > 0) differing.push({ fixture, lines: [...new Set([...early, ...last])] });
    else asExpected += 1;
  }
  const stranger = [...byLabel.keys()].find((label) => !known.has(label));
  if (stranger !== undefined)
    throw new UsageError(
      `${file} has no fixture ${safeLine(stranger)}, which an answer names: give the file that was sent`,
    );
  return { asExpected, unreached, differing, withoutAnswer };
}

function report(outcome: Outcome, { unnamed, unreadable }: AnswersRead): string[] {
  const { asExpected, unreached, differing, withoutAnswer } = outcome;
  const lines: string[] = [];
  for (const clause of new Set(differing.flatMap(({ fixture }) => fixture.clauses))) {
    // A file of another version may name others.
    const { section, text } = clauseOf(clause) ?? {};
    const named = text === undefined ? "not a clause of this suite" : `section ${section}: ${text}`;
    lines.push(...wrap(`${printable(clause)}, ${named}`, "", 2));
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
  if (unnamed > 0) lines.push(`without the name of a fixture: ${number(unnamed, "record")}`);
  if (answeredOf(outcome) === 0) lines.push("nothing was judged: no answer is one to these fixtures");
  lines.push(
    `${asExpected} as expected, ${differing.length} not, ${unreached.length} not reached, ${withoutAnswer} without an answer`,
  );
  return lines;
}
