/** The five checks in their order, and the one that let a request through, or was asked too late. */
import type { Report, ReportedResult } from "../report.ts";
import { cutText } from "./cut.ts";
import { countsOf, isFailure } from "./outcomes.ts";
import { arrow, box, figure, label } from "./svg.ts";

const stages = [
  { id: "METHOD", lines: ["1 method,", "content type"], of: /^(METHOD-POST|CONTENT-TYPE)$/ },
  { id: "RATE", lines: ["2 rate limit"], of: /^RATE-/ },
  { id: "IN-FLIGHT", lines: ["3 in flight"], of: /^IN-FLIGHT-/ },
  { id: "AUTH", lines: ["4 secret"], of: /^(AUTH|SECRET|COLD)-/ },
  { id: "BODY", lines: ["5 body"], of: /^BODY-(SIZE|TIME|OBJECT)$/ },
  { id: "ACTION", lines: ["action"], of: /^(ACTION-|VALIDATION$|RUN-TASK-|REVISION-|ERROR-INVALID$)/ },
] as const;

const ORDER = /^ORDER-(METHOD|RATE|IN-FLIGHT|AUTH)-(RATE|IN-FLIGHT|AUTH|BODY)$/;

const WIDE = 106;
const GAP = 22;
const MIDDLE = 30;
const centre = (index: number) => 22 + WIDE / 2 + index * (WIDE + GAP);
const WIDTH = centre(stages.length - 1) + WIDE / 2 + 22;
const at = (id: string | undefined) => stages.findIndex((stage) => stage.id === id);

const name = (index: number) => (stages[index]?.lines ?? []).join(" ").replace(/^\d /, "");

/** The clause that the failure is about, where only one check is concerned. A case that counts what was spent tells no order. */
function clauseOf({ id: caseId, clauses, story }: ReportedResult): string | undefined {
  if (story?.replay !== undefined) return story.replay.clause;
  const ordered = clauses.filter((id) => ORDER.test(id));
  if (ordered.length > 0) return caseId.includes("-BEFORE-") ? ordered[0] : undefined;
  const concerned = new Set(
    clauses.map((id) => stages.findIndex(({ of }) => of.test(id))).filter((index) => index >= 0),
  );
  return concerned.size === 1 ? clauses.find((id) => stages.some(({ of }) => of.test(id))) : undefined;
}

const isLetIn = (actual: string): boolean => /^2\d\d\b/.test(actual);

/** An action has run where the answer's result holds anything; a bare `ok: true` may come from a check. */
const hasRun = ({ exchanges }: ReportedResult): boolean =>
  exchanges.length === 0 || exchanges.some(({ answer }) => /"result"\s*:\s*\{\s*"/.test(answer?.body ?? ""));

/** How one failing request went through the checks; undefined where the failure is about none of the five. */
export function stagesOfCase(result: ReportedResult) {
  const clause = clauseOf(result);
  if (!isFailure(result) || clause === undefined) return undefined;
  const { actual = "" } = result;
  const [, first, later] = ORDER.exec(clause) ?? [];
  const broken = first === undefined ? stages.findIndex(({ of }) => of.test(clause)) : at(first);
  if (broken < 0 || (first === undefined && (broken === at("ACTION") || !isLetIn(actual)))) return undefined;
  const wrong = result.outcome === "fail" ? "bad" : "warned";
  const isThrough = isLetIn(actual) && hasRun(result);
  const end = isThrough ? at("ACTION") : isLetIn(actual) ? broken : at(later);
  const ended = isThrough ? "accepted" : "answered here";
  const how = isThrough
    ? `"${name(end)}" was reached, and the request accepted`
    : isLetIn(actual)
      ? "it was answered with success, but no action ran"
      : `"${name(end)}" answered it`;
  const said = `The check "${name(broken)}" had to refuse the request; ${how}.`;
  const content = [
    arrow(
      [
        [0, MIDDLE],
        [centre(0) - WIDE / 2, MIDDLE],
      ],
      "path",
    ),
    stages.map(({ lines }, index) => {
      const kind = index === broken ? wrong : index < broken ? "path" : index <= end ? "path" : "";
      const next = index + 1 < stages.length && [
        arrow(
          [
            [centre(index) + WIDE / 2, MIDDLE],
            [centre(index + 1) - WIDE / 2, MIDDLE],
          ],
          index >= end ? "" : index >= broken ? "bad" : "path",
          index >= end,
        ),
      ];
      return [box(centre(index), MIDDLE, WIDE, 50, lines, kind), next];
    }),
    label(centre(broken), MIDDLE + 44, "had to refuse here", `middle small strong ${wrong}`),
    label(centre(end), MIDDLE + (Math.abs(end - broken) <= 1 ? 62 : 44), ended, "middle small strong"),
    label(
      centre(end),
      MIDDLE + (Math.abs(end - broken) <= 1 ? 78 : 60),
      cutText(actual, 40).slice(0, 44),
      "middle code",
    ),
  ];
  return figure(said, WIDTH, 116, content);
}

/** All cases about the checks: how many of each passed, and which pairs were asked in the wrong order. */
export function stagesOverview({ results }: Report) {
  const judged = stages.map(({ of }) =>
    results.filter(({ id, clauses }) => clauses.some((clause) => of.test(clause)) && !isProperty(id, clauses)),
  );
  const swapped = new Map<string, number>();
  for (const result of results.filter(isFailure)) {
    const clause = clauseOf(result);
    if (clause !== undefined && ORDER.test(clause)) swapped.set(clause, (swapped.get(clause) ?? 0) + 1);
  }
  const pairs = [...swapped].map(([clause, count]) => {
    const [, first, later] = ORDER.exec(clause) ?? [];
    return { count, first: at(first), later: at(later) };
  });
  const height = 100 + pairs.length * 36;
  const failing = judged.map((members) => members.filter(({ outcome }) => outcome === "fail"));
  const warned = judged.map((members) => members.filter(({ outcome }) => outcome === "warn").length);
  const said = `The order of checks. ${stages
    .map(
      ({ lines }, index) =>
        `${lines.join(" ")}: ${failing[index]?.length ?? 0} of ${judged[index]?.length ?? 0} cases failed, ${warned[index] ?? 0} warned`,
    )
    .join("; ")}.`;
  const content = [
    arrow([
      [0, MIDDLE],
      [centre(0) - WIDE / 2, MIDDLE],
    ]),
    stages.map(({ lines }, index) => {
      const counts = countsOf(judged[index] ?? []);
      const failed = failing[index]?.length ?? 0;
      const isCheck = index < at("ACTION");
      const through = isCheck
        ? (failing[index] ?? []).filter((result) => isLetIn(result.actual ?? "") && hasRun(result)).length
        : 0;
      const advice = warned[index] ?? 0;
      const isLate = pairs.some(({ first }) => first === index);
      const kind = failed > 0 || isLate ? "bad" : advice > 0 ? "warned" : counts.pass ? "good" : "";
      const told =
        failed > 0
          ? `✗ ${failed} failed`
          : advice > 0
            ? `! ${advice} warned`
            : counts.pass
              ? `✓ ${counts.pass} passed`
              : "not judged";
      const leak = index + 1 < stages.length && through > 0 ? "bad" : "";
      return [
        box(centre(index), MIDDLE, WIDE, 50, lines, kind),
        label(
          centre(index),
          MIDDLE + 44,
          told,
          `middle small strong ${failed > 0 ? "bad" : advice > 0 ? "warned" : counts.pass ? "good" : ""}`,
        ),
        through > 0 && label(centre(index), MIDDLE + 60, `let through: ${through}`, "middle small bad"),
        index + 1 < stages.length &&
          arrow(
            [
              [centre(index) + WIDE / 2, MIDDLE],
              [centre(index + 1) - WIDE / 2, MIDDLE],
            ],
            leak,
          ),
      ];
    }),
    pairs.map(({ first, later, count }, index) => {
      const y = 116 + index * 36;
      const [left, right] = [centre(first), centre(later)];
      const cases = count === 1 ? "1 case" : `${count} cases`;
      return [
        arrow(
          [
            [right, y - 12],
            [right, y],
            [left, y],
            [left, y - 12],
          ],
          "bad",
        ),
        label(left + 4, y + 16, `✗ ${name(later)} came before ${name(first)}: ${cases}`, "small bad strong"),
      ];
    }),
  ];
  return figure(
    said,
    WIDTH,
    height,
    content,
    "The order of checks that a request goes through, and how many cases of each failed.",
  );
}

/** A property is about many clauses at once: its story tells where it broke. */
export const isProperty = (id: string, clauses: readonly string[]) => id.startsWith("PROPERTY-") || clauses.length > 6;
