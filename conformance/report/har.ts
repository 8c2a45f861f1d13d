/**
 * The exchanges of a report as HTTP Archive 1.2, for browsers' tools, Fiddler, Charles and the like. A page for each
 * case; secrets are out, and bodies as short as the report has them.
 */
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

/** As browsers write a request that got no answer. */
const NONE: NonNullable<Exchange["answer"]> = { status: 0, headers: [], body: "", bodyBytes: 0 };

function entryOf(pageref: string, exchange: Exchange, startedDateTime: string) {
  const { request, answer, fault, from } = exchange;
  const url = urlOf(request.path);
  const { status, headers, body, bodyBytes } = answer ?? NONE;
  const query = [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  return {
    pageref,
    startedDateTime,
    time: 0,
    request: {
      method: request.method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headersOf(request.headers),
      queryString: query,
      ...(request.body === "" ? {} : { postData: { mimeType: typeIn(request.headers), text: request.body } }),
      headersSize: -1,
      bodySize: request.bodyBytes,
    },
    response: {
      status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headersOf(headers),
      content: { size: bodyBytes, mimeType: typeIn(headers), text: body },
      redirectURL: "",
      headersSize: -1,
      bodySize: bodyBytes,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: answer === undefined ? `from ${from}; no answer: ${fault ?? "nothing came"}` : `from ${from}`,
  };
}

/** Cases send paths that no URL can hold: such a one is escaped. */
function urlOf(path: string): string {
  const escaped = path.replaceAll(/[^\w./?&=%~:@!$'()*+,;-]/gu, (character) =>
    encodeURIComponent(/\p{Cs}/u.test(character) ? "\uFFFD" : character),
  );
  const url = `${ORIGIN}${escaped.startsWith("/") ? "" : "/"}${escaped}`;
  return URL.canParse(url) ? url : `${ORIGIN}/`;
}

const headersOf = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([name, value]) => ({ name, value }));

function typeIn(headers: readonly (readonly [string, string])[]): string {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
}
