/** The fewest requests that still show the same departure: steps are taken out, then values made simple. */
import { actionNames, actions, type ActionName, type Field } from "../../../fixtures/fields.ts";
import type { Broken } from "../oracle/broken.ts";
import { flowsNamedIn, MOST_TIMES, type Reference, type SendStep, type Step, type Story } from "../../story/story.ts";

export interface Smaller {
  readonly broken: Broken;
  /** Stories played on the way. */
  readonly plays: number;
  /** The time or the number of plays was used up before nothing smaller was left. */
  readonly cutShort: boolean;
}

export interface SmallerOptions {
  /** Plays a story on a fresh part of the target. */
  readonly play: (story: Story) => Promise<Broken | undefined>;
  readonly maxPlays: number;
  readonly stop: () => boolean;
  /** A smaller story may break another clause. */
  readonly anyClause?: boolean;
}

/** Makes a broken story smaller while it breaks the same clause. */
export async function makeSmaller(
  first: Broken,
  { play, maxPlays, stop, anyClause = false }: SmallerOptions,
): Promise<Smaller> {
  let best = first;
  let plays = 0;
  const isSpent = () => plays >= maxPlays || stop();
  const inVain = new Set<string>();
  const tryOne = async (story: Story, longest = best.story.length): Promise<boolean> => {
    const known = JSON.stringify(story);
    if (isSpent() || story.length === 0 || inVain.has(known)) return false;
    inVain.add(known);
    plays += 1;
    const broken = await play(story);
    if (broken === undefined || (!anyClause && broken.departure.clause !== best.departure.clause)) return false;
    if (broken.story.length > longest) return false;
    best = broken;
    return true;
  };
  await takeOutFlows(() => best.story, tryOne);
  await takeOutKeys(() => best.story, tryOne);
  await takeOut(() => best.story, tryOne);
  const tryShorter = (story: Story) => tryOne(story, best.story.length - 1);
  if (await showEarlier(() => best.story, tryShorter)) await takeOut(() => best.story, tryOne);
  for (let again = true; again && !isSpent();) {
    again = await simplify(() => best.story, tryOne);
    if (again) await takeOut(() => best.story, tryOne);
  }
  return { broken: best, plays, cutShort: isSpent() };
}

/** Takes out one flow after the other, with all that is about it. */
async function takeOutFlows(story: () => Story, tryOne: (story: Story) => Promise<boolean>): Promise<void> {
  const last = lastFlowsOnly(story());
  if (last.length < story().length && (await tryOne(last))) return;
  const names = flowsIn(story());
  for (let size = Math.ceil(names.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < names.length; at += size) {
      const gone = new Set(names.slice(at, at + size));
      const left = withoutFlows(story(), gone);
      if (left.length < story().length) await tryOne(left);
    }
  }
}

const flowsIn = (story: Story): string[] =>
  story.flatMap((step) => (step.do === "send" && step.as !== undefined ? [step.as] : []));

const withoutFlows = (story: Story, gone: ReadonlySet<string>): Story =>
  withoutOrphans(story.filter((step) => !(step.do === "send" && step.as !== undefined && gone.has(step.as))));

/** What is about the flows of the last step, and about none; the whole story where that names none. */
function lastFlowsOnly(story: Story): Story {
  const last = story.at(-1);
  const kept = last === undefined ? [] : flowsNamedIn(last);
  if (kept.length === 0) return story;
  return withoutFlows(story, new Set(flowsIn(story).filter((name) => !kept.includes(name))));
}

/** The client that a step names, at its route; undefined where it names none. */
function keyOf(step: Step): string | undefined {
  if (step.do !== "send" && step.do !== "hold" && step.do !== "release") return undefined;
  return step.client === undefined ? undefined : `${step.route} ${step.client}`;
}

const keysIn = (story: Story): string[] => [...new Set(story.flatMap((step) => keyOf(step) ?? []))];

/** Takes out all that other clients do, or those at the other path, or others at both; then singles, and time that passes. */
async function takeOutKeys(story: () => Story, tryOne: (story: Story) => Promise<boolean>): Promise<void> {
  const last = story().at(-1);
  const own = last && keyOf(last);
  if (own === undefined) return;
  const others = new Set(keysIn(story()).filter((key) => key !== own));
  const without = (gone: ReadonlySet<string>) => story().filter((step) => !gone.has(keyOf(step) ?? ""));
  const [route, client] = own.split(" ");
  const elsewhere = [...others].filter((other) => !other.startsWith(`${route} `));
  const strange = [...others].filter((other) => !other.endsWith(` ${client}`));
  const found = (await tryOne(without(others))) || (await tryOne(without(new Set(elsewhere))));
  if (!found) await tryOne(without(new Set(strange)));
  if (keysIn(story()).length > 1) for (const other of others) await tryOne(without(new Set([other])));
  await tryOne(story().filter((step) => step.do !== "pass"));
}

/** Takes out half of the steps, a quarter, ... single ones. The last step is the one that shows the departure. */
async function takeOut(story: () => Story, tryOne: (story: Story) => Promise<boolean>): Promise<void> {
  for (let size = Math.max(1, Math.floor(story().length / 2)); size >= 1; size = Math.floor(size / 2)) {
    for (let end = story().length - 1; end > 0;) {
      const begin = Math.max(0, end - size);
      const left = withoutOrphans([...story().slice(0, begin), ...story().slice(end)]);
      const before = story().length;
      await tryOne(left);
      // What is left may have become shorter than was taken out.
      end = story().length < before ? Math.min(begin, story().length - 1) : begin;
    }
  }
}

/**
 * Lets a step ask for what a later one of the same action asks for: what needs two flows to show may show with one.
 * True when that made the story shorter.
 */
async function showEarlier(story: () => Story, tryShorter: (story: Story) => Promise<boolean>): Promise<boolean> {
  const whole = story();
  for (const [index, step] of whole.entries()) {
    if (step.do !== "send" || step.body === undefined) continue;
    const own = Object.entries(step.body).filter(([, value]) => isReference(value));
    for (const later of whole.slice(index + 1)) {
      if (later.do !== "send" || later.body === undefined) continue;
      if (later.body["action"] !== step.body["action"]) continue;
      const asked = Object.entries(later.body).filter(([, value]) => !isReference(value));
      const body = Object.fromEntries([...asked, ...own]);
      const changed = whole.with(index, { ...step, body });
      if ((await tryShorter(changed)) || (await tryShorter(lastFlowsOnly(changed)))) return true;
    }
  }
  return false;
}

/** Names a flow, a revision of one, or a session key. */
const isReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).some((name) => name.startsWith("$"));

/** Leaves out what refers to a flow that no step creates any more. */
function withoutOrphans(story: Story): Story {
  const created = new Set<string>();
  const kept: Step[] = [];
  for (const step of story) {
    if (!flowsNamedIn(step).every((name) => created.has(name))) continue;
    kept.push(step);
    if (step.do === "send" && step.as !== undefined) created.add(step.as);
  }
  return kept;
}

/** Makes one value simpler; true when that did it. */
async function simplify(story: () => Story, tryOne: (story: Story) => Promise<boolean>): Promise<boolean> {
  let any = false;
  for (let index = 0; index < story().length; index += 1) {
    for (let again = true; again;) {
      again = false;
      for (const simpler of simplerAt(story(), index)) {
        again = await tryOne(simpler);
        any ||= again;
        if (again) break;
      }
    }
  }
  return any;
}

/** The story with one step simpler, or left out and made up for by the next one of the same client. */
function simplerAt(story: Story, index: number): Story[] {
  const step = story[index];
  if (step === undefined) return [];
  const simpler = simplerThan(step).map((one) => story.with(index, one));
  if (keyOf(step) === undefined || step.do === "release") return simpler;
  const at = story.findIndex((later, place) => place > index && later.do === "send" && keyOf(later) === keyOf(step));
  const later = story[at];
  if (later?.do !== "send") return simpler;
  const more = step.do === "hold" ? step.count : step.do === "send" ? (step.times ?? 1) : 0;
  const times = Math.min(MOST_TIMES, (later.times ?? 1) + more);
  return [...simpler, story.with(at, { ...later, times }).toSpliced(index, 1)];
}

function simplerThan(step: Step): Step[] {
  if (step.do === "pass") return step.ms > 20 ? [{ ...step, ms: 20 }] : [];
  if (step.do === "hold" || step.do === "release") {
    const home = step.route === "route" ? [] : [{ ...step, route: "route" as const }];
    return [...home, ...fewerThan(step.count).map((count) => ({ ...step, count }))];
  }
  if (step.do === "together") return fewerTogether(step);
  if (step.do !== "send") return [];
  const { action, ...fields } = step.body ?? {};
  const simpler: SendStep[] = [];
  if (step.route === "sibling") simpler.push({ ...step, route: "route" });
  if (step.times !== undefined) simpler.push(...fewerThan(step.times).map((times) => ({ ...step, times })));
  for (const [name, value] of Object.entries(fields)) {
    const { [name]: _out, ...rest } = fields;
    const with_ = (body: Record<string, unknown>) => ({ ...step, body: { action, ...body } }) as SendStep;
    // Without a required field it would be another request, refused for another reason.
    if (!isRequired(action, name)) simpler.push(with_(rest));
    for (const plain of plainerThan(value)) simpler.push(with_({ ...fields, [name]: plain }));
  }
  return simpler;
}

/** The fewest that can disturb each other; the same all at once, with half of its requests, without one of them, or with one of them simpler. */
function fewerTogether(step: Extract<Step, { do: "together" }>): Step[] {
  const { sends, width, ...plain } = step;
  const pairs = sends.length > 2 ? pairsOf(sends) : [];
  const looks = sends.length > 3 ? looksOf(sends).map((few) => ({ ...plain, sends: few, width: 2 })) : [];
  const atOnce = [...pairs, ...(width === undefined ? [] : [sends])].map((all) => ({ ...plain, sends: all }));
  const half = Math.ceil(sends.length / 2);
  const halves = sends.length < 4 ? [] : [sends.slice(half), sends.slice(0, half)];
  const fewer = sends.length > 2 ? sends.map((_, index) => sends.toSpliced(index, 1)) : [];
  const plainer = sends.flatMap((send, index) =>
    simplerThan(send).flatMap((one) => (one.do === "send" ? [sends.with(index, one)] : [])),
  );
  return [...looks, ...atOnce, ...[...halves, ...fewer, ...plainer].map((left) => ({ ...step, sends: left }))];
}

/** Any two of the changes. */
function pairsOf(sends: readonly SendStep[]): SendStep[][] {
  const changes = changesIn(sends);
  return distinct(changes.flatMap((one, index) => changes.slice(index + 1).map((other) => [one, other])));
}

const isLook = ({ body }: SendStep): boolean => body?.["action"] === "get_flow" || body?.["action"] === "list_flows";

/** A look, a change while it is under way, and the same look again. */
function looksOf(sends: readonly SendStep[]): SendStep[][] {
  const looks = sends.filter(isLook);
  return distinct(changesIn(sends).flatMap((change) => looks.map((look) => [look, change, look])));
}

/** Those that name a revision, each with the one that the flow has. */
function changesIn(sends: readonly SendStep[]): SendStep[] {
  return sends.flatMap((send) => {
    const { expectedRevision } = (send.body ?? {}) as { expectedRevision?: Reference };
    if (expectedRevision?.$revision === undefined) return [];
    const current = { $revision: expectedRevision.$revision, at: "current" };
    return [{ ...send, route: "route" as const, body: { ...send.body, expectedRevision: current } }];
  });
}

const distinct = (all: readonly SendStep[][]): SendStep[][] => [
  ...new Map(all.map((few) => [JSON.stringify(few), few])).values(),
];

/** One, then ever nearer to the number itself: 1, 60, 90, 105 ... 119 for 120. */
function fewerThan(number: number): number[] {
  const fewer = [1];
  for (let off = Math.ceil(number / 2); off >= 1; off = off === 1 ? 0 : Math.ceil(off / 2)) fewer.push(number - off);
  return [...new Set(fewer)].filter((one) => one >= 1 && one < number);
}

function isRequired(action: unknown, name: string): boolean {
  const { fields = {} } = actionNames.includes(action as ActionName) ? actions[action as ActionName] : {};
  return (fields as Readonly<Record<string, Field>>)[name]?.required === true;
}

function plainerThan(value: unknown): unknown[] {
  if (typeof value === "string") return value.length > 1 ? ["x"] : [];
  if (typeof value === "number") return value === 0 ? [] : [0];
  if (typeof value !== "object" || value === null) return [];
  const { $revision, by } = value as { $revision?: string; by?: number };
  if ($revision !== undefined) return by !== undefined && by > 1 ? [{ ...value, by: 1 }] : [];
  return Object.keys(value).some((key) => key.startsWith("$")) ? [] : [0];
}
