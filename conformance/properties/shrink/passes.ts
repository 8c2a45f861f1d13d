/** Makes a story smaller: what it can do without is taken out, by fast-check's own shrinking of a list. */
import * as fc from "fast-check";
import { actionNames, actions, type ActionName, type Field } from "../../interface/fields.ts";
import { flowsNamedIn, type SendStep, type Step, type Story } from "../../story/story.ts";
import type { Broken } from "../../oracle/told.ts";

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
  const tryOne = async (story: Story): Promise<boolean> => {
    const known = JSON.stringify(story);
    if (isSpent() || story.length === 0 || tried.has(known)) return false;
    tried.add(known);
    plays += 1;
    const broken = await play(story);
    if (broken === undefined || (!anyClause && broken.departure.clause !== best.departure.clause)) return false;
    if (broken.story.length > best.story.length) return false;
    best = broken;
    return true;
  };
  const all = partsOf(first.story);
  const isShown = (left: readonly Part[]) =>
    left.length === all.length ||
    tryOne(
      without(
        first.story,
        all.filter((part) => !left.includes(part)),
      ),
    );
  const isNeeded = fc.asyncProperty(fc.subarray(all), async (left) => !(await isShown(left)));
  await fc.check(isNeeded, { numRuns: 1, examples: [[all]] });
  return { broken: best, plays, cutShort: isSpent() };
}

/** What a story may do without: a step, one of several requests at once, a field, that another route sends it, or its form. */
interface Part {
  readonly step: number;
  /** The place of the request among those of its step; the whole step if absent. */
  readonly send?: number;
  /** The field, `ROUTE` or `FORM`; the whole request if absent. */
  readonly of?: string;
}

const ROUTE = "its route";
const FORM = "its form";

const sendsIn = (step: Step): readonly SendStep[] =>
  step.do === "send" ? [step] : step.do === "together" ? step.sends : [];

/** The last step shows the departure, so it stays. Without a required field it would be another request, refused for that. */
const partsOf = (story: Story): Part[] => [
  ...[...story.slice(1).keys()].map((step) => ({ step })),
  ...story.flatMap((one, step) =>
    sendsIn(one).flatMap(({ route, form, body = {} }, send) => {
      const { action, ...fields } = body;
      const open = Object.keys(fields).filter((name) => !isRequired(action, name));
      const about = [...(route === "sibling" ? [ROUTE] : []), ...(form === undefined ? [] : [FORM])];
      const parts = [...about, ...open].map((of) => ({ step, send, of }));
      return one.do === "together" ? [{ step, send }, ...parts] : parts;
    }),
  ),
];

function isRequired(action: unknown, name: string): boolean {
  const { fields = {} } = actionNames.includes(action as ActionName) ? actions[action as ActionName] : {};
  return (fields as Readonly<Record<string, Field>>)[name]?.required === true;
}

/** Leaves these parts out, and what refers to a flow that no step creates any more. */
function without(story: Story, parts: readonly Part[]): Story {
  const created = new Set<string>();
  const isThere = (one: Step) => flowsNamedIn(one).every((name) => created.has(name));
  return story.flatMap((step, at): Step[] => {
    const gone = parts.filter((part) => part.step === at);
    if (gone.some((part) => part.send === undefined)) return [];
    if (step.do !== "send" && step.do !== "together") return isThere(step) ? [step] : [];
    const sends = sendsIn(step).flatMap((one, send): SendStep[] => {
      const lost = gone.filter((part) => part.send === send).map(({ of }) => of);
      if (lost.includes(undefined) || !isThere(one)) return [];
      if (one.as !== undefined) created.add(one.as);
      const body = Object.entries(one.body ?? {}).filter(([name]) => !lost.includes(name));
      const route = lost.includes(ROUTE) ? "route" : one.route;
      const { form, ...usual } = one;
      const isFormed = form !== undefined && !lost.includes(FORM);
      return [{ ...usual, route, ...(isFormed && { form }), ...(one.body && { body: Object.fromEntries(body) }) }];
    });
    if (step.do === "send" || sends.length < 2) return sends;
    const { width = sends.length, ...others } = step;
    return [{ ...others, sends, ...(width < sends.length && { width }) }];
  });
}
