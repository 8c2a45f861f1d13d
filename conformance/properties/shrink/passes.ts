/** Makes a story smaller: what it can do without is taken out, by fast-check's own shrinking of a list. */
import * as fc from "fast-check";
import { actionNames, actions, type ActionName, type Field } from "../../interface/fields.ts";
import { flowsNamedIn, type Reference, type SendStep, type Step, type Story } from "../../story/story.ts";
import type { Broken } from "../../oracle/departure.ts";

interface SmallerOptions {
  /** Plays a story on a fresh part of the target. */
  readonly play: (story: Story) => Promise<Broken | undefined>;
  readonly maxPlays: number;
  readonly stop: () => boolean;
  /** A smaller story may break another clause. */
  readonly anyClause?: boolean;
}

/**
 * Makes a broken story smaller while it breaks the same clause. `plays`: stories played on the way; `cutShort`: the time or
 * the number of plays was used up before nothing smaller was left.
 */
export async function makeSmaller(first: Broken, { play, maxPlays, stop, anyClause = false }: SmallerOptions) {
  let best = first;
  let plays = 0;
  const isSpent = () => plays >= maxPlays || stop();
  const tried = new Set<string>();
  const tryOne = async (story: Story, longest = best.story.length): Promise<boolean> => {
    const known = JSON.stringify(story);
    if (isSpent() || story.length === 0 || tried.has(known)) return false;
    tried.add(known);
    plays += 1;
    const broken = await play(story);
    if (broken === undefined || (!anyClause && broken.departure.clause !== best.departure.clause)) return false;
    if (broken.story.length > longest) return false;
    best = broken;
    return true;
  };
  const tryAny = async (stories: Iterable<Story>, longest?: number): Promise<boolean> => {
    for (const story of stories) if (await tryOne(story, longest)) return true;
    return false;
  };
  const takeOut = async () => {
    const { story } = best;
    const all = partsOf(story);
    const isShown = (left: readonly Part[]) =>
      left.length === all.length ||
      tryOne(
        without(
          story,
          all.filter((part) => !left.includes(part)),
        ),
      );
    const isNeeded = fc.asyncProperty(fc.subarray(all), async (left) => !(await isShown(left)));
    await fc.check(isNeeded, { numRuns: 1, examples: [[all]] });
  };
  await takeOut();
  if (await tryAny(mergedFlows(best.story), best.story.length - 1)) await takeOut();
  let isFewer = false;
  while (await tryAny(fewerAtOnce(best.story))) isFewer = true;
  if (isFewer) await takeOut();
  return { broken: best, plays, cutShort: isSpent() };
}

/** What a story may do without: a step, a field of one, or that another route sends it. */
interface Part {
  readonly step: number;
  /** The field, or `ROUTE`; the whole step if absent. */
  readonly of?: string;
}

const ROUTE = "its route";

/** The last step shows the departure, so it stays. Without a required field it would be another request, refused for that. */
const partsOf = (story: Story): Part[] => [
  ...[...story.slice(1).keys()].map((step) => ({ step })),
  ...story.flatMap((one, step) => {
    if (one.do !== "send") return [];
    const { action, ...fields } = one.body ?? {};
    const open = Object.keys(fields).filter((name) => !isRequired(action, name));
    return [...(one.route === "sibling" ? [ROUTE] : []), ...open].map((of) => ({ step, of }));
  }),
];

function isRequired(action: unknown, name: string): boolean {
  const { fields = {} } = actionNames.includes(action as ActionName) ? actions[action as ActionName] : {};
  return (fields as Readonly<Record<string, Field>>)[name]?.required === true;
}

/** Leaves these parts out, and what refers to a flow that no step creates any more. */
function without(story: Story, parts: readonly Part[]): Story {
  const created = new Set<string>();
  return story.flatMap((step, index): Step[] => {
    const gone = parts.filter((part) => part.step === index).map(({ of }) => of);
    if (gone.includes(undefined) || !flowsNamedIn(step).every((name) => created.has(name))) return [];
    if (step.do !== "send") return [step];
    if (step.as !== undefined) created.add(step.as);
    const body = Object.entries(step.body ?? {}).filter(([name]) => !gone.includes(name));
    const route = gone.includes(ROUTE) ? "route" : step.route;
    return [{ ...step, route, ...(step.body && { body: Object.fromEntries(body) }) }];
  });
}

/** Tries to merge two flows into one: a step takes the values of a later one of the same action, and the other flow is removed. */
function* mergedFlows(story: Story): Generator<Story> {
  const last = story.slice(-1).flatMap(flowsNamedIn);
  const others = [...story.entries()].flatMap(([step, one]) =>
    one.do === "send" && one.as !== undefined && !last.includes(one.as) ? [{ step }] : [],
  );
  for (const [index, step] of story.entries()) {
    if (step.do !== "send" || step.body === undefined) continue;
    const own = Object.entries(step.body).filter(([, value]) => isReference(value));
    for (const later of story.slice(index + 1)) {
      if (later.do !== "send" || later.body?.["action"] !== step.body["action"]) continue;
      const values = Object.entries(later.body ?? {}).filter(([, value]) => !isReference(value));
      const changed = story.with(index, { ...step, body: Object.fromEntries([...values, ...own]) });
      yield changed;
      yield without(changed, others);
    }
  }
}

/** Names a flow, a revision of one, or a session key. */
const isReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).some((name) => name.startsWith("$"));

/** What most races shrink to: a read during and after one change, two changes, or one request less. */
const fewerAtOnce = (story: Story): Story[] =>
  story.flatMap((step, index) =>
    step.do === "together" ? fewerTogether(step).map((fewer) => story.with(index, fewer)) : [],
  );

function fewerTogether({ sends, width, ...step }: Extract<Step, { do: "together" }>): Step[] {
  const changes = changesIn(sends);
  const pairs = changes.flatMap((one, index) => changes.slice(index + 1).map((other) => [one, other]));
  const looks = changes.flatMap((change) => sends.filter(isLook).map((look) => [look, change, look]));
  const fewer = sends.map((_, index) => sends.toSpliced(index, 1));
  return [
    ...(sends.length > 3 ? distinct(looks).map((few) => ({ ...step, sends: few, width: 2 })) : []),
    ...(sends.length > 2 ? distinct(pairs).map((few) => ({ ...step, sends: few })) : []),
    ...(sends.length > 2 ? fewer.map((few) => ({ ...step, sends: few, ...(width && { width }) })) : []),
  ];
}

const isLook = ({ body }: SendStep): boolean => body?.["action"] === "get_flow" || body?.["action"] === "list_flows";

/** The requests that name a revision, each with the flow's current one. */
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
