/**
 * The exchanges of a report as HTTP Archive 1.2, for browsers' tools, Fiddler, Charles and the like. A page for each
 * case; secrets are out, and bodies as short as the report has them.
 */
import { harEntry } from "../../fixtures/formats/har.ts";
import { headlineOf } from "./findings.ts";
import type { Report, ReportedResult } from "./report.ts";

/** A report does not know where the target listened. */
const ORIGIN = "http://target.invalid";

export function harOf(report: Report) {
  const shown = report.results.filter(({ exchanges }) => exchanges.length > 0);
  const startedDateTime = report.startedAt;
  return {
    log: {
      version: "1.2",
      creator: { name: "webhooks-conformance", version: report.suite.version },
      comment: `${report.target.name}, profile ${report.profile}: ${report.verdict.judgement}`,
      pages: shown.map(({ id, title, outcome, findings, reason = "" }) => {
        const comment = `${outcome}: ${headlineOf({ findings }) ?? reason}`;
        return { startedDateTime, id, title: `${id}: ${title}`, pageTimings: {}, comment };
      }),
      entries: shown.flatMap(({ id, exchanges }) => exchanges.map((one) => entryOf(id, one, startedDateTime))),
    },
  };
}

type Exchange = ReportedResult["exchanges"][number];

function entryOf(pageref: string, { request, answer, fault, from }: Exchange, at: string) {
  const comment = answer === undefined ? `from ${from}; no answer: ${fault ?? "nothing came"}` : `from ${from}`;
  return { pageref, ...harEntry(at, { ...request, url: urlOf(request.path) }, answer), comment };
}

/** Cases send paths that no URL can hold: such a one is escaped. */
function urlOf(path: string): string {
  const escaped = path.replaceAll(/[^\w./?&=%~:@!$'()*+,;-]/gu, (character) =>
    encodeURIComponent(/\p{Cs}/u.test(character) ? "\uFFFD" : character),
  );
  const url = `${ORIGIN}${escaped.startsWith("/") ? "" : "/"}${escaped}`;
  return URL.canParse(url) ? url : `${ORIGIN}/`;
}
