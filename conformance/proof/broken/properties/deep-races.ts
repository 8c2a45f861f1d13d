/** Faults that show only while requests overlap: others run between a check and its write, or a read and its answer. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../../../plugin/answer.ts";
import type { BoundFlows, FlowRecord, MutationResult } from "../../../../plugin/ports.ts";
import { together, withAction, withFlows } from "../../changes.ts";
import { writesLate } from "../../late-writes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

const changes = ["setWaiting", "resume", "finish", "fail", "requestCancel"] as const;
interface Input {
  readonly flowId: string;
  readonly expectedRevision: number;
}
type Mutation = (input: Input) => MutationResult | Promise<MutationResult>;

/** Duration of a write and of a read in a slow store, ms. */
const WRITE_MS = 8;
const READ_MS = 60;

/** Wraps changes of the runtime. `count`: the changes of the flow that are under way, across all routes. */
function slowChanges(
  around: (change: Mutation, input: Input, flows: BoundFlows, count: () => number) => Promise<MutationResult>,
  counts = new Map<string, number>(),
): Change {
  return withFlows((flows) =>
    Object.fromEntries(
      changes.map((name) => {
        const change: Mutation = flows[name];
        const counted = async (input: Input): Promise<MutationResult> => {
          const count = () => counts.get(input.flowId) ?? 0;
          counts.set(input.flowId, count() + 1);
          try {
            return await around(change, input, flows, count);
          } finally {
            counts.set(input.flowId, count() - 1);
          }
        };
        return [name, counted];
      }),
    ),
  );
}

const isRight = (seen: FlowRecord | null | undefined, { expectedRevision }: Input): seen is FlowRecord =>
  seen?.revision === expectedRevision;

function lostBesideAnother(): Change {
  const underWay = new Set<string>();
  const overtaken = new Set<string>();
  return slowChanges(async (change, input, flows) => {
    const { flowId } = input;
    const seen = await flows.get(flowId);
    if (!isRight(seen, input)) return change(input);
    if (underWay.has(flowId)) {
      overtaken.add(flowId);
      return change(input);
    }
    underWay.add(flowId);
    await sleep(WRITE_MS);
    underWay.delete(flowId);
    return overtaken.delete(flowId) ? { applied: true, flow: { ...seen, revision: seen.revision + 1 } } : change(input);
  });
}

const nobodyWins = slowChanges(async (change, input, flows, count) => {
  const before = count();
  await sleep(WRITE_MS);
  if (before === 1 && count() === 1) return change(input);
  const current = await flows.get(input.flowId);
  return { applied: false, code: "revision_conflict", ...(current && { current }) };
});

/** Answers slowly, and gives the same answer to everyone who asks meanwhile. */
function sharedWhileUnderWay(
  action: string,
  keyOf: (fields: Record<string, unknown>, session: string) => string,
): Change {
  const underWay = new Map<string, Promise<Answer>>();
  return withAction(action, async ({ fields, context, right }) => {
    const key = keyOf(fields, context.flows.sessionKey);
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const made = Promise.resolve(right()).then(async (answer) => {
      await sleep(READ_MS);
      underWay.delete(key);
      return answer;
    });
    underWay.set(key, made);
    return made;
  });
}

/** A flow that is ended while other changes of it run is shown with the status from when they began. */
const endsShownAsBefore = slowChanges(async (change, input, flows, count) => {
  const seen = await flows.get(input.flowId);
  await sleep(WRITE_MS);
  const isAlone = count() === 1;
  const result = await change(input);
  if (!result.applied || !seen || isAlone || result.flow.endedAt === undefined) return result;
  return { applied: true, flow: { ...result.flow, status: seen.status } };
});

/** A flow is missing from the store while a change of it is written. */
function goneWhileWritten(): Change {
  const counts = new Map<string, number>();
  const written = slowChanges(async (change, input) => {
    await sleep(WRITE_MS);
    return change(input);
  }, counts);
  const read = withAction("get_flow", ({ fields, right }) => {
    const isGone = (counts.get(String(fields["flowId"])) ?? 0) > 0;
    return right(isGone ? { ...fields, flowId: "of no flow" } : fields);
  });
  return together(written, read);
}

export const deepRaces: readonly Subject[] = failing("PROPERTY-RACES", {
  "set_waiting checks the revision, awaits the store, and writes whatever the revision is by then": writesLate(
    ["setWaiting"],
    1000 * WRITE_MS,
  ),
  "A change that another one overtakes is answered as applied and not stored": lostBesideAnother(),
  "Of changes of one flow at the same time each takes itself for the one that came too late": nobodyWins,
  "finish_flow and fail_flow beside another change of the flow answer with the status that it had before":
    endsShownAsBefore,
  "Who reads a flow while another read of it is under way is given that one's answer, though it was changed since":
    sharedWhileUnderWay("get_flow", ({ flowId }, session) => `${session} ${String(flowId)}`),
  "Who lists flows while another list is made is given that one, though flows were changed since": sharedWhileUnderWay(
    "list_flows",
    (_fields, session) => session,
  ),
  "A change takes the flow out of its store and puts it back: who reads it meanwhile is told that there is none":
    goneWhileWritten(),
});
