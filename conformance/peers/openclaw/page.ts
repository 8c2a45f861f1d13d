/** Renders docs/OPENCLAW.md from the findings and the prose; `npm run pages` writes it. */
import { writeFile } from "node:fs/promises";
import { format } from "prettier";
import { departures, type Departure } from "./departures.ts";
import type { Findings, Run } from "./findings.ts";
import { differences, PEER_RUNS, versionsProse } from "./prose.ts";
import { readFindings, readVersions } from "./survey.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (...cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly string[]): string[] =>
  rows.length === 0 ? ["None."] : [row(...head), row(...head.map(() => "---")), ...rows];

/** Left out of a partial run, or not applicable by what the target file or the profile says. */
const NOT_JUDGED = "not judged";
const isFailure = (outcome: string) => outcome === "fail" || outcome === "known";

/** The page as it is checked in. `versions`: the matrix of the peer's versions, as Markdown. */
export async function renderPage(findings: Findings, versions = "Not run.\n"): Promise<string> {
  const { runs } = findings;
  const lines = [
    "# The live peer: openclaw's webhooks plugin",
    "",
    "`openclaw` is a public gateway with a webhooks plugin of the same interface. Nobody here wrote it, and nothing of it is",
    "copied: it is installed on demand and judged over HTTP. `npm run openclaw:survey` judges it in each way and keeps the",
    "findings in `conformance/peers/openclaw/findings.json`, from which `npm run pages` writes this page.",
    "",
    "```sh",
    "npm run conformance:openclaw                          # profile openclaw, known deviations in its baseline.json",
    "npm run conformance:openclaw -- --profile spec        # red: every departure from what the interface states",
    "npm run conformance:openclaw -- --profile reference   # red: departures from the reference profile, too",
    "npm run conformance:openclaw -- --hosted              # the plugin of this package in the peer's gateway",
    "npm run conformance:openclaw -- --embedded            # the peer's plugin in the embedded gateway",
    "npm run conformance:openclaw -- --learn               # observe its gaps, as profile learn does",
    "```",
    "",
    "The peer needs about 700 MB under `.cache/` (`CONFORMANCE_CACHE` names another folder) and Node 24.16 or later, which is",
    "installed beside it where the running one is older.",
    "",
    "## Runs",
    "",
    `Every run: suite ${[...new Set(Object.values(runs).map(({ suite }) => suite))].join(" and suite ")}.`,
    "",
    ...table(
      ["run", "target", "profile", "clock", "cases", "results"],
      Object.entries(runs).map(([name, run]) => runRow(name, run)),
    ),
    ...Object.entries(runs).flatMap(([name, { remark }]) => (remark === undefined ? [] : [`\n- ${name}: ${remark}`])),
    ...Object.entries(findings.absent).map(([name, why]) => `\n- ${name}: ${why}`),
    "",
    "## Versions",
    "",
    ...versionsProse,
    "",
    versions,
    "## Departures, and the cases that find them",
    "",
    "From what the interface states (`found in` names the runs that show it):",
    "",
    ...departureTable(findings, "stated"),
    "",
    "From a decision of the reference profile, where the interface leaves a gap:",
    "",
    ...departureTable(findings, "gap"),
    "",
    "## What else was found",
    "",
    "Failures that belong to none of the departures above. Under `reference` these are gaps that the peer decides otherwise.",
    "",
    ...otherTable(findings),
    "",
    "## Each plugin in both gateways",
    "",
    ...differences,
    "",
    ...inBothGateways(findings),
  ];
  return format(`${lines.join("\n")}\n`, { parser: "markdown", printWidth: 120 });
}

function runRow(name: string, run: Run): string {
  const counts = Object.entries(run.counts).map(([outcome, count]) => `${count} ${outcome}`);
  const cases = run.partial ? `${run.cases} (a part)` : String(run.cases);
  return row(name, run.target, run.profile, run.clock, cases, counts.join(", "));
}

/** The runs that judge the peer's plugin, in its own gateway or in ours: a departure can show there. */
const ofPeer = ({ runs }: Findings) =>
  PEER_RUNS.flatMap((name) => (runs[name] === undefined ? [] : [[name, runs[name]] as const]));

function departureTable(findings: Findings, against: Departure["against"]): string[] {
  const rows = departures
    .filter((departure) => departure.against === against)
    .flatMap(({ number, what, cases }) =>
      cases.flatMap((id, index) => {
        const found = ofPeer(findings).filter(([, run]) => isFailure(run.findings[id]?.outcome ?? ""));
        const first = found[0]?.[1].findings[id];
        const label = index === 0 ? `${number}. ${what}` : "";
        const names = found.map(([name]) => name).join(", ");
        if (first === undefined) return [row(label, `\`${id}\``, "", "not found", "", "")];
        return [row(label, `\`${id}\``, first.clauses.join(", "), names, first.expected, first.actual)];
      }),
    );
  return table(["departure", "case", "clauses", "found in", "expected", "actual"], rows);
}

function otherTable(findings: Findings): string[] {
  const known = new Set(departures.flatMap(({ cases }) => cases));
  const ids = [...new Set(ofPeer(findings).flatMap(([, run]) => Object.keys(run.findings)))].filter(
    (id) => !known.has(id),
  );
  const rows = ids.flatMap((id) => {
    const found = ofPeer(findings).filter(([, run]) =>
      ["fail", "warn", "error", "unreached"].includes(run.findings[id]?.outcome ?? ""),
    );
    const first = found[0]?.[1].findings[id];
    if (first === undefined) return [];
    return [
      row(
        `\`${id}\``,
        `${first.outcome} (${first.level})`,
        found.map(([name]) => name).join(", "),
        first.expected,
        first.actual,
      ),
    ];
  });
  return table(["case", "result", "found in", "expected", "actual"], rows);
}

function outcomeIn(run: Run, id: string): string {
  return run.findings[id]?.outcome ?? (run.passed.includes(id) ? "pass" : NOT_JUDGED);
}

/** Cases with another outcome for the same plugin in the other gateway. */
function inBothGateways({ runs }: Findings): string[] {
  const pairs = [
    ["The peer's plugin", "reference", "embedded"],
    ["The plugin of this package", "own", "hosted"],
  ] as const;
  return pairs.flatMap(([what, one, other]) => {
    const [first, second] = [runs[one], runs[other]];
    if (first === undefined || second === undefined)
      return [`${what}: not run in both gateways (${one}, ${other}).`, ""];
    const ids = [...new Set([...Object.keys(first.findings), ...Object.keys(second.findings)])];
    const rows = ids
      .filter((id) => ![outcomeIn(first, id), outcomeIn(second, id)].includes(NOT_JUDGED))
      .filter((id) => outcomeIn(first, id) !== outcomeIn(second, id))
      .map((id) => {
        const { expected, actual } = (first.findings[id] ?? second.findings[id]) as Run["findings"][string];
        return row(`\`${id}\``, outcomeIn(first, id), outcomeIn(second, id), expected, actual);
      });
    return [
      `${what}, run \`${one}\` compared with run \`${other}\`:`,
      "",
      ...table(["case", one, other, "expected", "actual"], rows),
      "",
    ];
  });
}

export const pageFile = new URL("../../../docs/OPENCLAW.md", import.meta.url);

if (process.argv[1] === import.meta.filename) {
  await writeFile(pageFile, await renderPage(await readFindings(), await readVersions()));
}
