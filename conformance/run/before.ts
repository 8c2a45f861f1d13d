/** What a case did before the exchanges that show its failure, for people, as far as it may matter to the failure. */
import { firstAndLast } from "../foundation/first-and-last.ts";
import { keyText, type Done } from "../harness/case-record.ts";
import type { EarlierStep } from "../harness/outcome.ts";
import { bodyFields, describe, textOf, type Exchange } from "../http/exchange.ts";

/** Steps that a report keeps: the first two and the last ones. Console and page show fewer. */
const MOST = 100;
/** A longer list leaves out the steps with other keys than that of the failure. */
const MOST_OF_KEYS = 8;
/** Steps are told with their times if this much passes between the first and the last, ms; about limits in any case. */
const LONG_MS = 1000;
/** Equal steps that are further apart are listed separately, ms. */
const APART_MS = 10_000;
/** Characters of a field's value. */
const LONGEST_VALUE = 30;
/** Fields whose values differ from request to request without changing the answer. */
const EVERYDAY = ["action", "goal", "task", "expectedRevision"];

/**
 * Of the steps before the last shown exchange: those about a flow that the shown ones name, and what was done beside
 * requests. `all`: every request counts, as in a case about limits.
 */
export function beforeOf(steps: readonly Done[], shown: readonly Exchange[], all: boolean): readonly EarlierStep[] {
  const last = shown.at(-1);
  const end = steps.findLastIndex(({ what }) => what === last);
  if (last === undefined || end < 0) return [];
  const earlier = steps.slice(0, end).filter(({ what }) => typeof what === "string" || !shown.includes(what));
  const named = new Set(shown.flatMap(quotedIn));
  const ids = earlier.flatMap(({ what }) => (typeof what === "string" ? [] : flowIdsIn(what)));
  const flows = new Set(ids.filter((id) => named.has(id)));
  const matters = (step: Exchange) => all || quotedIn(step).some((text) => flows.has(text));
  const told = earlier.flatMap(({ what, at, key }, index): Told[] => {
    const isOther = all && key !== undefined && key !== keyText(last);
    const step = { number: index + 1, at, key, isOther };
    if (typeof what === "string") return [{ what: isOther ? `${what} (${key})` : what, ...step }];
    const told = stepOf(what, last, flows);
    const from = isOther ? ` from ${what.from}` : "";
    return matters(what) ? [{ ...told, what: told.what + from, ...step }] : [];
  });
  if (!told.some(({ answer }) => answer !== undefined)) return [];
  const { at } = steps[end] as Done;
  // The failing request is the last step, so that its own time is told.
  const isTimed = at - (told[0]?.at ?? at) >= (all ? 1 : LONG_MS);
  const here = {
    what: "the request of this failure",
    answer: describe(last),
    number: earlier.length + 1,
    at,
    key: keyText(last),
    isOther: false,
  };
  const every = numbered(isTimed ? [...told, here] : told, isTimed);
  const own = every.length > MOST_OF_KEYS ? told.filter(({ isOther }) => !isOther) : told;
  return firstAndLast(own === told ? every : numbered([...own, here], isTimed), MOST);
}

/** The texts between two quotes: looked up as a whole, since a hostile answer may name 50,000 flows. */
const quotedIn = ({ request, answer }: Exchange): string[] =>
  `${new TextDecoder().decode(request.body)}\n${answer === undefined ? "" : textOf(answer)}`.split('"');

const flowIdsIn = ({ answer }: Exchange): string[] =>
  answer === undefined ? [] : [...textOf(answer).matchAll(/"flowId"\s*:\s*"([^"]{4,})"/g)].map(([, id = ""]) => id);

interface Told extends Pick<EarlierStep, "number" | "what" | "action" | "answer"> {
  readonly at: number;
  readonly key: string | undefined;
  /** Of another key than the failure, where keys matter. */
  readonly isOther: boolean;
}

/** `run_task runtime="acp"`: of the shown request's own action only what differs from it. */
function stepOf(exchange: Exchange, shown: Exchange, flows: ReadonlySet<string>): Omit<EarlierStep, "number"> {
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

/** Steps that are alike and follow each other become one. `isTimed`: with the time since the first. */
function numbered(steps: readonly Told[], isTimed: boolean): EarlierStep[] {
  const groups: { first: Told; last: Told; times: number }[] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    const { what, answer, key } = group?.first ?? {};
    const isAlike = what === step.what && answer === step.answer && key === step.key;
    if (group === undefined || !isAlike || step.at - group.last.at > APART_MS)
      groups.push({ first: step, last: step, times: 1 });
    else Object.assign(group, { last: step, times: group.times + 1 });
  }
  const since = (at: number) => Math.round(at - (steps[0]?.at ?? 0));
  return groups.map(({ first, last, times }) => {
    const { number, what, action, answer } = first;
    const [at, until] = [since(first.at), since(last.at)];
    return {
      number,
      what,
      ...(action !== undefined && { action }),
      ...(answer !== undefined && { answer }),
      ...(times > 1 && { times }),
      ...(isTimed && { at, ...(until > at && { until }) }),
    };
  });
}
