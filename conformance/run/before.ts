/** What a case did before the exchanges that show its failure, for people, as far as it may matter to the failure. */
import { describe, textOf, type Exchange } from "../http/exchange.ts";

/** Lines of a report. */
const SHOWN = 5;
/** Characters of a field's value. */
const LONGEST_VALUE = 30;
/** Their values differ from request to request and change nothing. */
const EVERYDAY = ["action", "goal", "task", "expectedRevision"];

/**
 * Of the steps before the last shown exchange: those about a flow that the shown ones name, and what was done beside
 * requests. `all`: every request counts, as in a case about limits.
 */
export function beforeOf(
  steps: readonly (Exchange | string)[],
  shown: readonly Exchange[],
  all: boolean,
): readonly string[] {
  const last = shown.at(-1);
  const end = last === undefined ? -1 : steps.lastIndexOf(last);
  if (last === undefined || end < 0) return [];
  const earlier = steps.slice(0, end).filter((step) => typeof step === "string" || !shown.includes(step));
  const named = new Set(shown.flatMap(quotedIn));
  const flows = new Set(
    earlier.flatMap((step) => (typeof step === "string" ? [] : flowIdsIn(step))).filter((id) => named.has(id)),
  );
  const matters = (step: Exchange) => all || quotedIn(step).some((text) => flows.has(text));
  const lines = earlier.flatMap((step) => {
    if (typeof step === "string") return [step];
    return matters(step) ? [sentenceOf(step, last, flows)] : [];
  });
  return lines.some((line) => line.includes(" -> ")) ? shortened(numbered(lines)) : [];
}

/** The texts between two quotes: looked up as a whole, since a hostile answer may name 50,000 flows. */
const quotedIn = ({ request, answer }: Exchange): string[] =>
  `${new TextDecoder().decode(request.body)}\n${answer === undefined ? "" : textOf(answer)}`.split('"');

const flowIdsIn = ({ answer }: Exchange): string[] =>
  answer === undefined ? [] : [...textOf(answer).matchAll(/"flowId"\s*:\s*"([^"]{4,})"/g)].map(([, id = ""]) => id);

/** `run_task runtime="acp" -> 200 ok:true`: of the shown request's own action only what differs from it. */
function sentenceOf(exchange: Exchange, shown: Exchange, flows: ReadonlySet<string>): string {
  const { method, path } = exchange.request;
  const [body, other] = [bodyOf(exchange), bodyOf(shown)];
  const action = typeof body["action"] === "string" ? body["action"] : "a request";
  const isSame = body["action"] === other["action"];
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const text = jsonOf(value);
    const isOwn = isSame ? text !== jsonOf(other[name]) : !EVERYDAY.includes(name);
    const isFlow = typeof value === "string" && flows.has(value);
    return isOwn && !isFlow && text.length <= LONGEST_VALUE ? [` ${name}=${text}`] : [];
  });
  const how = method === "POST" ? "" : `${method} `;
  const where = path === shown.request.path ? "" : ` at ${path}`;
  // Nothing is cut here: a report takes secrets out first, and would miss one that is cut in two.
  return `${how}${action}${fields.join("")}${where} -> ${describe(exchange)}`;
}

/** A case may send objects that are nested too deep to be written. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "{...}";
  }
}

function bodyOf({ request }: Exchange): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(request.body));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Steps that are alike and follow each other become one. */
function numbered(lines: readonly string[]): string[] {
  const groups: { line: string; count: number }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.line === line) last.count += 1;
    else groups.push({ line, count: 1 });
  }
  return groups.map(({ line, count }, index) => `${index + 1}. ${line}${count === 1 ? "" : ` (${count} times)`}`);
}

/** The last ones matter most. */
function shortened(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN) return [...lines];
  const left = lines.length - SHOWN + 1;
  return [`... ${left} steps before`, ...lines.slice(1 - SHOWN)];
}
