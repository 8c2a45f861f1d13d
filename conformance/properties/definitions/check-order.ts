/** Any subset of defects in one request: the answer is that to the first check that fails, and nothing is changed. */
import * as fc from "fast-check";
import { REFUSED_BYTES } from "../../interface/broken-requests.ts";
import { neutral } from "../../http/exchange.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import type { SendStep, Step } from "../../story/story.ts";
import { readOf } from "../../oracle/flow-requests.ts";
import { mustRefuse } from "../../oracle/answers.ts";
import { departure, type Departure } from "../../oracle/departure.ts";
import { printOf, type Response } from "../../oracle/response.ts";
import { flowPlayer, type FlowPlayer, type Watch } from "../../oracle/play/flow-player.ts";
import type { Playing } from "../../oracle/play/step-player.ts";
import type { Property } from "./property.ts";

/** Requests with any defects, beside those for each pair of checks. */
const LENGTH = 14;
/** How often each pair of checks is met. */
const EACH_PAIR = 2;

/** Client addresses by condition: budget used up, eight requests in flight, or both. */
const clients = { spent: 1, full: 2, both: 3 } as const;
type Condition = keyof typeof clients | "fresh";

interface OrderIntent {
  readonly condition: Condition;
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly secret: string | undefined;
  readonly body: "right" | "malformed" | "too large";
}

/** Ranks of the checks; method and content type are one check, without an order between them. */
const checks = ["METHOD", "RATE", "IN-FLIGHT", "AUTH", "BODY"] as const;
type Check = (typeof checks)[number];

const methods = ["PUT", "PATCH", "DELETE"];
const contentTypes = ["text/plain", "application/xml", ""];
const secrets = ["wrong", "", "wrong wrong"];
const right: OrderIntent = {
  condition: "fresh",
  method: undefined,
  contentType: undefined,
  secret: undefined,
  body: "right",
};

const any: fc.Arbitrary<OrderIntent> = fc.record({
  condition: fc.constantFrom<Condition>("fresh", "fresh", "spent", "full", "both"),
  method: fc.constantFrom(undefined, undefined, undefined, ...methods),
  contentType: fc.constantFrom(undefined, undefined, undefined, ...contentTypes),
  secret: fc.constantFrom(undefined, undefined, ...secrets),
  body: fc.constantFrom("right", "right", "malformed", "malformed", "malformed", "too large"),
});

/** A defect of each check. */
const defects: Readonly<Record<Check, fc.Arbitrary<Partial<OrderIntent>>>> = {
  METHOD: fc.oneof(
    fc.record({ method: fc.constantFrom(...methods) }),
    fc.record({ contentType: fc.constantFrom(...contentTypes) }),
  ),
  RATE: fc.constant({ condition: "spent" }),
  "IN-FLIGHT": fc.constant({ condition: "full" }),
  AUTH: fc.record({ secret: fc.constantFrom(...secrets) }),
  BODY: fc.record({ body: fc.constantFrom("malformed", "malformed", "malformed", "too large") }),
};

/** A request with defects of these two checks alone. */
const withBoth = (first: Check, second: Check): fc.Arbitrary<OrderIntent> =>
  first === "RATE" && second === "IN-FLIGHT"
    ? fc.constant({ ...right, condition: "both" })
    : fc.tuple(defects[first], defects[second]).map(([one, other]) => ({ ...right, ...one, ...other }));

const eachPair = checks.flatMap((first, index) => checks.slice(index + 1).map((second) => withBoth(first, second)));

const intents: fc.Arbitrary<OrderIntent[]> = fc
  .tuple(
    fc.array(any, { minLength: LENGTH, maxLength: LENGTH, size: "max" }),
    ...Array.from({ length: EACH_PAIR }, () => fc.tuple(...eachPair)),
  )
  .chain((all) => fc.shuffledSubarray(all.flat(), { minLength: all.flat().length }));

/** Learned from responses: the budget of the client with eight in flight has to be used up again. */
const DOUBT = "the budget beside eight in flight was not used up";

/** Which of two checks comes first. */
const pairs: readonly ClauseId[] = [
  "ORDER-METHOD-RATE",
  "ORDER-METHOD-IN-FLIGHT",
  "ORDER-METHOD-AUTH",
  "ORDER-METHOD-BODY",
  "ORDER-RATE-IN-FLIGHT",
  "ORDER-RATE-AUTH",
  "ORDER-RATE-BODY",
  "ORDER-IN-FLIGHT-AUTH",
  "ORDER-IN-FLIGHT-BODY",
  "ORDER-AUTH-BODY",
];

export const order: Property<OrderIntent, FlowPlayer> = {
  id: "PROPERTY-ORDER",
  title:
    "With any subset of defects the answer is that to the first check that fails, and no later check has a side effect",
  clauses: pairs,
  reading:
    "Told by the target's own answers to each defect alone; defects that are answered alike cannot be told apart.",
  coverageGap: (visits) => {
    const untried = pairs.filter((pair) => visits.noted(pair) === 0);
    return untried.length > 0
      ? { reason: `no answer could be held against that to the first defect: ${untried.join(", ")}` }
      : undefined;
  },
  runs: 1,
  player: flowPlayer({ watch }),
  begin: [{ do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "the first flow" } }],
  intents,
  *plan({ world }, intent): Generator<Step> {
    const { learned } = world;
    const right = readOf(world, "get_flow", "f1");
    const step = stepOf(intent, right);
    for (const condition of conditionsFor(intent.condition)) {
      if (!learned.isFirst(`prepared ${condition}`)) continue;
      yield* prepare(condition, right);
      // Using the budget up once more shows whether a window has ended meanwhile.
      if (condition === "both" && learned.get(DOUBT) === "yes") yield usedUp("both", right);
    }
    // The answers to each defect alone come first.
    for (const alone of aloneOf(step, right)) {
      const [key] = keysOf(alone);
      if (key !== undefined && learned.get(key) === undefined) yield alone;
    }
    yield step;
    // Checks that the condition still held: a window may have ended, a slot been freed.
    if (intent.condition !== "fresh") yield { ...right, client: clients[intent.condition] };
    if (step.body?.["action"] === "set_waiting") yield right;
  },
};

/** Compares the response to several defects with those to each defect alone. */
export function watch({ world }: Playing): Watch {
  let suspicion: { client: number; found: Departure } | undefined;
  /** When using up the budget beside eight in flight first ended with another response, ms. */
  let doubtSince: number | undefined;
  /** How a response is shown to people, by its fingerprint. */
  const shown = new Map<string, string>();
  const firstDefect = (prints: readonly string[]) =>
    `the answer to the first defect (${prints.map((print) => shown.get(print) ?? "another").join(" or ")})`;
  return ({ step, at }, response) => {
    const keys = keysOf(step);
    const known = suspicion;
    suspicion = undefined;
    if (keys.length === 0) return undefined;
    const print = fingerprint(response);
    shown.set(print, shownOf(response));
    if (step.times !== undefined) {
      const wanted = world.learned.get(USED_UP);
      const isBeside = step.client === clients.both && step.times > REQUESTS_PER_WINDOW;
      if (!isBeside || wanted === undefined) return "judged";
      const since = doubtSince;
      doubtSince = wanted === print ? undefined : (since ?? at.from);
      if (wanted !== print) world.learned.holds(DOUBT, "yes");
      // Windows end a minute apart: one window's end explains one such response, not two.
      const isOverdue = wanted !== print && since !== undefined && at.to - since < WINDOW_MS;
      return isOverdue ? departure("ORDER-RATE-IN-FLIGHT", firstDefect([wanted]), printOf(response)) : "judged";
    }
    // The condition is over: the request was applied, so the judge of flows has to see it.
    if (response.accepted && isRight(step)) return undefined;
    if (defectsOf(step).length <= 1 && keys.length === 1) {
      const [key = ""] = keys;
      if (response.accepted || response.status < 400) return departure(clauseOf(step), "a refusal", printOf(response));
      if (!world.learned.holds(key, print))
        return departure(clauseOf(step), "the answer to that defect as before", printOf(response));
      if (step.secret !== undefined) return mustRefuse("AUTH-REQUIRED", response) ?? "judged";
      // The condition still held, so the suspicion was right.
      return known !== undefined && known.client === step.client ? known.found : "judged";
    }
    const wanted = keys.map((key) => world.learned.get(key)).filter((one) => one !== undefined);
    if (wanted.length < keys.length) return "judged";
    world.visits.note(clauseOf(step));
    if (wanted.includes(print)) return "judged";
    const isAlike = wanted.some((one) => shown.get(one) === shownOf(response));
    const found = departure(
      clauseOf(step),
      firstDefect(wanted),
      `${shownOf(response)}${isAlike ? " in other words" : ""}`,
    );
    // Method and content type come before both limits, so there the condition need not be checked.
    if (step.client === undefined || (step.client === clients.both && isBeforeAll(step))) return found;
    suspicion = { client: step.client, found };
    return "judged";
  };
}

/** The conditions to prepare before a request under this one. */
const conditionsFor = (condition: Condition): Condition[] => (condition === "both" ? ["spent", "both"] : [condition]);

/** Brings a client address into its condition. */
function* prepare(condition: Condition, right: SendStep): Generator<Step> {
  if (condition === "fresh") return;
  if (condition !== "spent") yield { do: "hold", route: "route", client: clients[condition], count: IN_FLIGHT };
  if (condition !== "full") yield usedUp(condition, right);
  // The answer of a used-up budget shows whether a budget beside eight in flight is used up.
  if (condition === "spent") yield { ...right, client: clients.spent };
}

/** One more than the budget: whatever was held before, the last one is beyond it. */
const usedUp = (condition: keyof typeof clients, right: SendStep): SendStep => ({
  ...right,
  client: clients[condition],
  times: REQUESTS_PER_WINDOW + 1,
});

function stepOf({ condition, method, contentType, secret, body }: OrderIntent, right: SendStep): SendStep {
  const change = {
    action: "set_waiting",
    flowId: { $flow: "f1" },
    expectedRevision: { $revision: "f1", at: "current" },
  };
  const spoils = method !== undefined || contentType !== undefined || secret !== undefined;
  return {
    do: "send",
    route: "route",
    // A valid request changes nothing; one that has to be refused would, if it were not.
    ...(spoils || condition !== "fresh" ? { body: change } : right),
    ...(condition !== "fresh" && { client: clients[condition] }),
    ...(method !== undefined && { method }),
    ...(contentType !== undefined && { contentType }),
    ...(secret !== undefined && { secret }),
    ...(body === "malformed" && { text: '{"action":' }),
    ...(body === "too large" && { padTo: REFUSED_BYTES }),
  };
}

const USED_UP = "used-up budget";

interface Defect {
  readonly check: Check;
  /** What the answer to it is learned under. */
  readonly key: string;
}

/** The defects of a request, in the order of the checks. */
function defectsOf({ method, contentType, client, secret, text, padTo }: SendStep): Defect[] {
  const found: Defect[] = [];
  if (method !== undefined) found.push({ check: "METHOD", key: `method ${method}` });
  if (contentType !== undefined) found.push({ check: "METHOD", key: `content type ${contentType}` });
  if (client === clients.spent || client === clients.both) found.push({ check: "RATE", key: USED_UP });
  if (client === clients.full || client === clients.both) found.push({ check: "IN-FLIGHT", key: "eight in flight" });
  if (secret !== undefined) found.push({ check: "AUTH", key: `secret ${JSON.stringify(secret)}` });
  if (text !== undefined) found.push({ check: "BODY", key: "malformed body" });
  if (padTo !== undefined) found.push({ check: "BODY", key: "large body" });
  return found;
}

/** What the responses of the first failing check are learned under. */
function keysOf(step: SendStep): string[] {
  const [first, ...others] = defectsOf(step);
  if (first === undefined) return [];
  return [first, ...others.filter(({ check }) => check === first.check)].map(({ key }) => key);
}

/** Right by itself: only its client's condition may refuse it. */
const isRight = (step: SendStep): boolean =>
  defectsOf(step).every(({ check }) => check === "RATE" || check === "IN-FLIGHT");

const isBeforeAll = (step: SendStep): boolean => defectsOf(step)[0]?.check === "METHOD";

/** The clause on the first two checks that fail. */
function clauseOf(step: SendStep): ClauseId {
  const [first = "METHOD", second] = [...new Set(defectsOf(step).map(({ check }) => check))];
  if (second !== undefined) return `ORDER-${first}-${second}` as ClauseId;
  const alone = {
    METHOD: "METHOD-POST",
    RATE: "RATE-120",
    "IN-FLIGHT": "IN-FLIGHT-8",
    AUTH: "AUTH-REQUIRED",
    BODY: "BODY-OBJECT",
  } as const;
  return alone[first];
}

/** The same request with each of its first defects alone. */
function aloneOf(step: SendStep, plain: SendStep): SendStep[] {
  const { method, contentType, secret, text, padTo } = step;
  const [first] = defectsOf(step);
  if (first === undefined) return [];
  if (first.check === "METHOD") {
    return [
      ...(method === undefined ? [] : [{ ...plain, method }]),
      ...(contentType === undefined ? [] : [{ ...plain, contentType }]),
    ];
  }
  // With both conditions only the used-up budget is seen.
  if (first.check === "RATE") return [{ ...plain, client: clients.spent }];
  if (first.check === "IN-FLIGHT") return [{ ...plain, client: clients.full }];
  if (secret !== undefined) return [{ ...plain, secret }];
  return [...(text === undefined ? [] : [{ ...plain, text }]), ...(padTo === undefined ? [] : [{ ...plain, padTo }])];
}

/** Status and code, or the text without digits: for comparing responses, never shown. */
function fingerprint(response: Response): string {
  return response.code === undefined
    ? `${response.status} ${response.text.replace(/\d+/g, "#").slice(0, 80)}`
    : printOf(response);
}

/** The same for people. A text is shown as it came, so that redaction finds secrets; one with digits changes from run to run. */
function shownOf(response: Response): string {
  const text = response.text.slice(0, 80);
  return response.code !== undefined || /\d/.test(text)
    ? printOf(response)
    : `${response.status} ${neutral(text)}`.trimEnd();
}
