/** What a case did before the exchanges that show its failure, for people, as far as it may matter to the failure. */
import type { EarlierStep } from "../harness/outcome.ts";
import { bodyFields, describe, textOf, type Exchange } from "../http/exchange.ts";

/** The last ones matter most. A report has all of these; what is read at a glance shows fewer. */
const MOST = 100;
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
): readonly EarlierStep[] {
  const last = shown.at(-1);
  const end = last === undefined ? -1 : steps.lastIndexOf(last);
  if (last === undefined || end < 0) return [];
  const earlier = steps.slice(0, end).filter((step) => typeof step === "string" || !shown.includes(step));
  const named = new Set(shown.flatMap(quotedIn));
  const flows = new Set(
    earlier.flatMap((step) => (typeof step === "string" ? [] : flowIdsIn(step))).filter((id) => named.has(id)),
  );
  const matters = (step: Exchange) => all || quotedIn(step).some((text) => flows.has(text));
  const told = earlier.flatMap((step) => {
    if (typeof step === "string") return [{ what: step }];
    return matters(step) ? [stepOf(step, last, flows)] : [];
  });
  return told.some(({ answer }) => answer !== undefined) ? numbered(told).slice(-MOST) : [];
}

/** The texts between two quotes: looked up as a whole, since a hostile answer may name 50,000 flows. */
const quotedIn = ({ request, answer }: Exchange): string[] =>
  `${new TextDecoder().decode(request.body)}\n${answer === undefined ? "" : textOf(answer)}`.split('"');

const flowIdsIn = ({ answer }: Exchange): string[] =>
  answer === undefined ? [] : [...textOf(answer).matchAll(/"flowId"\s*:\s*"([^"]{4,})"/g)].map(([, id = ""]) => id);

type Told = Omit<EarlierStep, "number" | "times">;

/** `run_task runtime="acp"`: of the shown request's own action only what differs from it. */
function stepOf(exchange: Exchange, shown: Exchange, flows: ReadonlySet<string>): Told {
  const { method, path } = exchange.request;
  const [body, other] = [bodyFields(exchange.request), bodyFields(shown.request)];
  const { action } = body;
  const named = typeof action === "string" ? { action } : {};
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
  const what = `${how}${named.action ?? "a request"}${fields.join("")}${where}`;
  return { what, ...named, answer: describe(exchange) };
}

/** A case may send objects that are nested too deep to be written. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "{...}";
  }
}

/** Steps that are alike and follow each other become one. */
function numbered(steps: readonly Told[]): EarlierStep[] {
  const groups: { step: Told; times: number }[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.step.what === step.what && last.step.answer === step.answer) last.times += 1;
    else groups.push({ step, times: 1 });
  }
  return groups.map(({ step, times }, index) => ({ number: index + 1, ...step, ...(times > 1 && { times }) }));
}
