/** How one case ended in earlier reports. */
import type { Report, ReportedResult } from "../report.ts";
import { html } from "./markup.ts";

/** An earlier report, with its results by id. */
export interface Earlier {
  readonly report: Report;
  readonly results: ReadonlyMap<string, ReportedResult>;
}

/** The oldest first. */
export function earlierOf(reports: readonly Report[]): readonly Earlier[] {
  return reports
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .map((report) => ({ report, results: new Map(report.results.map((result) => [result.id, result])) }));
}

/** Undefined where there is no earlier report. */
export function historyOf(result: ReportedResult, report: Report, earlier: readonly Earlier[]) {
  if (earlier.length === 0) return undefined;
  const runs = [
    ...earlier.map(({ report: other, results }) => ({ other, before: results.get(result.id) })),
    { other: report, before: result },
  ];
  return html`<ol class="history">
    ${runs.map(({ other, before }) => {
      const changed = before?.signature !== undefined && before.signature !== result.signature && before !== result;
      const when = `${other.startedAt.slice(0, 16).replace("T", " ")}, suite ${other.suite.version}: `;
      const how = changed && result.signature !== undefined ? ", another failure" : "";
      return html`<li class=${`o-${before?.outcome ?? "not-applicable"}`}>
        ${when}<strong>${before?.outcome ?? "absent"}</strong>${how}
      </li>`;
    })}
  </ol>`;
}
