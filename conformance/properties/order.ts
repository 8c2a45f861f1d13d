/** Any subset of defects in one request: the answer is that to the first check that fails, and nothing is changed. */
import * as fc from "fast-check";
import type { ClauseId } from "../clauses/index.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../target/lanes.ts";
import { finding, type Finding } from "./finding.ts";
import type { Property } from "./property.ts";
import { printOf, type Said } from "./said.ts";
import type { SendStep, Step } from "./story.ts";
import { readOf } from "./wishes.ts";

const LENGTH = 36;

/** Client addresses by what they have done: used up their budget, hold eight requests, or both. */
const clients = { spent: 1, full: 2, both: 3 } as const;
type Condition = keyof typeof clients | "fresh";

interface OrderWish {
  readonly condition: Condition;
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly secret: string | undefined;
  readonly body: "right" | "malformed" | "too large";
}

/** Ranks of the checks; method and content type are one check, without an order between them. */
const checks = ["METHOD", "RATE", "IN-FLIGHT", "AUTH", "BODY"] as const;
type Check = (typeof checks)[number];

const TOO_LARGE_BYTES = 262_145;

const wish: fc.Arbitrary<OrderWish> = fc.record({
  condition: fc.constantFrom<Condition>("fresh", "fresh", "spent", "full", "both"),
  method: fc.constantFrom(undefined, undefined, undefined, "PUT", "PATCH", "DELETE"),
  contentType: fc.constantFrom(undefined, undefined, undefined, "text/plain", "application/xml", ""),
  secret: fc.constantFrom(undefined, undefined, "wrong", "", "wrong wrong"),
  body: fc.constantFrom("right", "right", "malformed", "malformed", "malformed", "too large"),
});

const right = { action: "get_flow", flowId: { $flow: "f1" } };

export const order: Property<OrderWish> = {
  id: "PROPERTY-ORDER",
  title:
    "With any subset of defects the answer is that to the first check that fails, and no later one has felt anything",
  clauses: [
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
  ],
  reading:
    "Told by the target's own answers to each defect alone; defects that are answered alike cannot be told apart.",
  runs: 3,
  begin: [{ do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "the first flow" } }],
  wishes: fc.array(wish, { minLength: LENGTH, maxLength: LENGTH, size: "max" }),
  *plan({ learned, rules }, wish): Generator<Step> {
    const step = stepOf(wish);
    for (const condition of conditionsFor(wish.condition)) {
      if (learned.get(`prepared ${condition}`) === undefined) yield* prepare(condition);
      learned.holds(`prepared ${condition}`, "yes");
    }
    // The answers to each defect alone come first.
    for (const alone of aloneOf(step)) {
      const [key] = keysOf(alone);
      if (key !== undefined && learned.get(key) === undefined) yield alone;
    }
    yield step;
    // A used-up budget or a slot may be free again by now: then nothing was seen.
    if (wish.condition !== "fresh") yield { do: "send", route: "route", client: clients[wish.condition], body: right };
    if (step.body?.["action"] === "set_waiting") yield readOf("get_flow", "f1", "route", rules.fields);
  },
  watch: (_executor, world) => {
    let suspicion: { client: number; found: Finding } | undefined;
    return ({ step }, said) => {
      const keys = keysOf(step);
      const known = suspicion;
      suspicion = undefined;
      if (keys.length === 0) return undefined;
      const print = fingerprint(said);
      if (step.times !== undefined) return "judged";
      if (defectsOf(step).length <= 1 && keys.length === 1) {
        const [key = ""] = keys;
        // A condition that is over says nothing; one that holds confirms what was suspected.
        if (step.client !== undefined && said.accepted) return "judged";
        if (said.accepted || said.status < 400) return finding(clauseOf(step), "a refusal", printOf(said));
        if (!world.learned.holds(key, print))
          return finding(clauseOf(step), "the answer to that defect as before", printOf(said));
        return known !== undefined && known.client === step.client ? known.found : "judged";
      }
      const wanted = keys.map((key) => world.learned.get(key)).filter((one) => one !== undefined);
      if (wanted.length < keys.length || wanted.includes(print)) return "judged";
      const found = finding(clauseOf(step), `the answer to the first defect (${wanted.join(" or ")})`, print);
      if (step.client === undefined) return found;
      suspicion = { client: step.client, found };
      return "judged";
    };
  },
};

/** The conditions that are looked at alone before this one. */
const conditionsFor = (condition: Condition): Condition[] => (condition === "both" ? ["spent", "both"] : [condition]);

/** Brings a client address into its condition. */
function* prepare(condition: Condition): Generator<Step> {
  if (condition === "fresh") return;
  const at = { route: "route", client: clients[condition] } as const;
  if (condition !== "spent") yield { do: "hold", ...at, count: IN_FLIGHT };
  if (condition !== "full") yield { do: "send", ...at, body: right, times: REQUESTS_PER_WINDOW };
}

function stepOf({ condition, method, contentType, secret, body }: OrderWish): SendStep {
  const change = {
    action: "set_waiting",
    flowId: { $flow: "f1" },
    expectedRevision: { $revision: "f1", at: "current" },
  };
  const spoils = method !== undefined || contentType !== undefined || secret !== undefined;
  return {
    do: "send",
    route: "route",
    // A right request changes nothing; one that has to be refused would, if it were not.
    body: spoils || condition !== "fresh" ? change : right,
    ...(condition !== "fresh" && { client: clients[condition] }),
    ...(method !== undefined && { method }),
    ...(contentType !== undefined && { contentType }),
    ...(secret !== undefined && { secret }),
    ...(body === "malformed" && { text: '{"action":' }),
    ...(body === "too large" && { padTo: TOO_LARGE_BYTES }),
  };
}

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
  if (client === clients.spent || client === clients.both) found.push({ check: "RATE", key: "used-up budget" });
  if (client === clients.full || client === clients.both) found.push({ check: "IN-FLIGHT", key: "eight in flight" });
  if (secret !== undefined) found.push({ check: "AUTH", key: "secret" });
  if (text !== undefined) found.push({ check: "BODY", key: "malformed body" });
  if (padTo !== undefined) found.push({ check: "BODY", key: "large body" });
  return found;
}

/** The answers that a request may get: the first check's. */
function keysOf(step: SendStep): string[] {
  const [first, ...others] = defectsOf(step);
  if (first === undefined) return [];
  return [first, ...others.filter(({ check }) => check === first.check)].map(({ key }) => key);
}

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
function aloneOf(step: SendStep): SendStep[] {
  const { method, contentType, secret, text, padTo } = step;
  const plain: SendStep = { do: "send", route: "route", body: right };
  const [first] = defectsOf(step);
  if (first === undefined) return [];
  if (first.check === "METHOD") {
    return [
      ...(method === undefined ? [] : [{ ...plain, method }]),
      ...(contentType === undefined ? [] : [{ ...plain, contentType }]),
    ];
  }
  // Of eight in flight with a used-up budget nothing is seen but the budget.
  if (first.check === "RATE") return [{ ...plain, client: clients.spent }];
  if (first.check === "IN-FLIGHT") return [{ ...plain, client: clients.full }];
  if (secret !== undefined) return [{ ...plain, secret }];
  return [...(text === undefined ? [] : [{ ...plain, text }]), ...(padTo === undefined ? [] : [{ ...plain, padTo }])];
}

/** What an answer is known by: status and code, or its text without figures. */
function fingerprint(said: Said): string {
  return said.code === undefined ? `${said.status} ${said.text.replace(/\d+/g, "#").slice(0, 80)}` : printOf(said);
}
