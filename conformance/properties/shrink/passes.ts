/** The passes that make a broken story smaller: parts are taken out, then what is left is made simpler. */
import { actionNames, actions, type ActionName, type Field } from "../../interface/fields.ts";
import { flowsNamedIn, type Reference, type SendStep, type Step, type Story } from "../../story/story.ts";
import type { Broken } from "../../oracle/broken.ts";

interface Smaller {
  readonly broken: Broken;
  /** Stories played on the way. */
  readonly plays: number;
  /** The time or the number of plays was used up before nothing smaller was left. */
  readonly cutShort: boolean;
}

interface SmallerOptions {
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
  const takeOut = async <Part>({ partsOf, without }: Parts<Part>) => {
    for (let size = partsOf(best.story).length; size >= 1; size = Math.floor(size / 2)) {
      for (let end = partsOf(best.story).length; end > 0;) {
        const begin = Math.max(0, end - size);
        await tryOne(without(best.story, new Set(partsOf(best.story).slice(begin, end))));
        // Less may be left than what was taken out.
        end = Math.min(begin, partsOf(best.story).length);
      }
    }
  };
  await takeOut(flows);
  await takeOut(steps);
  for (const merged of mergedFlows(best.story)) {
    if (!(await tryOne(merged, best.story.length - 1))) continue;
    await takeOut(steps);
    break;
  }
  for (let again = true; again && !isSpent();) {
    again = await simplify(() => best.story, tryOne);
    if (again) await takeOut(steps);
  }
  return { broken: best, plays, cutShort: isSpent() };
}

/** What a story can do without: all of it is taken out, halves, quarters, ... single parts. */
interface Parts<Part> {
  /** The last step shows the departure, so what it is about stays. */
  readonly partsOf: (story: Story) => Part[];
  readonly without: (story: Story, gone: ReadonlySet<Part>) => Story;
}

/** Flows, with all that is about them. */
const flows: Parts<string> = {
  partsOf(story) {
    const kept = story.slice(-1).flatMap(flowsNamedIn);
    const created = story.flatMap((step) => (step.do === "send" && step.as !== undefined ? [step.as] : []));
    return created.filter((name) => !kept.includes(name));
  },
  without: (story, gone) =>
    withoutOrphans(story.filter((step) => !(step.do === "send" && step.as !== undefined && gone.has(step.as)))),
};

const steps: Parts<number> = {
  partsOf: (story) => [...story.slice(1).keys()],
  without: (story, gone) => withoutOrphans(story.filter((_, index) => !gone.has(index))),
};

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

/** Tries to merge two flows into one: a step takes the values of a later one of the same action, and the other flow is removed. */
function* mergedFlows(story: Story): Generator<Story> {
  for (const [index, step] of story.entries()) {
    if (step.do !== "send" || step.body === undefined) continue;
    const own = Object.entries(step.body).filter(([, value]) => isReference(value));
    for (const later of story.slice(index + 1)) {
      if (later.do !== "send" || later.body?.["action"] !== step.body["action"]) continue;
      const values = Object.entries(later.body ?? {}).filter(([, value]) => !isReference(value));
      const changed = story.with(index, { ...step, body: Object.fromEntries([...values, ...own]) });
      yield changed;
      yield flows.without(changed, new Set(flows.partsOf(changed)));
    }
  }
}

/** Names a flow, a revision of one, or a session key. */
const isReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).some((name) => name.startsWith("$"));

/** Makes each step as simple as it can be; true when that changed any. */
async function simplify(story: () => Story, tryOne: (story: Story) => Promise<boolean>): Promise<boolean> {
  let any = false;
  for (let index = 0; index < story().length; index += 1) {
    for (let again = true; again;) {
      again = false;
      for (const simpler of story()
        .slice(index, index + 1)
        .flatMap(simplerThan)) {
        again = await tryOne(story().with(index, simpler));
        any ||= again;
        if (again) break;
      }
    }
  }
  return any;
}

function simplerThan(step: Step): Step[] {
  if (step.do === "together") return fewerTogether(step);
  if (step.do !== "send") return [];
  const home: SendStep[] = step.route === "sibling" ? [{ ...step, route: "route" }] : [];
  const { action, ...fields } = step.body ?? {};
  // Without a required field it would be another request, refused for another reason.
  const open = Object.keys(fields).filter((name) => !isRequired(action, name));
  const plainer = open.map((out) => {
    const { [out]: _out, ...rest } = fields;
    return { ...step, body: { action, ...rest } } as SendStep;
  });
  return [...home, ...plainer];
}

/** What most races shrink to: a read during and after one change, two changes, or one request less. */
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

function isRequired(action: unknown, name: string): boolean {
  const { fields = {} } = actionNames.includes(action as ActionName) ? actions[action as ActionName] : {};
  return (fields as Readonly<Record<string, Field>>)[name]?.required === true;
}
