/** Section 4: names in a body that some readers treat in a way of their own: prototypes, and names that are there twice. */
import { change, createFlow, runTask } from "../../interface/bodies.ts";
import { withBody } from "../../interface/request.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import {
  check,
  flowOf,
  flowsOf,
  mustAccept,
  mustNotAccept,
  setUp,
  mustTakeTwin,
  type FlowView,
} from "../../harness/checks.ts";
import { mustBeUnchanged, readBack, shownIn, twoFlows, waitingFlow } from "../../harness/flows.ts";
import { fingerprint } from "../../harness/refusals.ts";
import type { Trial } from "../../harness/trial.ts";
import { namesOf } from "../../oracle/flow-factors.ts";
import { rowCase } from "../../oracle/row-case.ts";

/** The members of a body that have these fields in a prototype, as JSON text. */
const prototypes = {
  "below __proto__": (fields: string) => `"__proto__":${fields}`,
  "below constructor": (fields: string) => `"constructor":{"prototype":${fields}}`,
} as const;

const GOAL = "a goal of its own";
const creation = `"action":"create_flow","goal":"${GOAL}"`;

interface Sent {
  /** These fields, as JSON text, in a prototype. */
  readonly below: (fields: string) => string;
  readonly fields: string;
  /** Those that a change needs, and no other. */
  readonly needed: string;
  /** The name of state data. */
  readonly state: string;
  /** The members of a set_waiting of another flow. */
  readonly waiting: string;
  /** The members of a run_task that only a status lacks. */
  readonly task: string;
}

const IN_WAITING = "in the state of a waiting flow";

type Places = Readonly<Record<string, (sent: Sent) => string>>;

/** Without what stands in the prototype these lack a field that the interface demands. */
const lacking: Places = {
  "the action itself": ({ below }) => below('{"action":"list_flows"}'),
  "what a change needs": ({ below, needed }) => `"action":"finish_flow",${below(needed)}`,
  "the status that a start time needs": ({ below, task }) => `${task},${below('{"status":"running"}')}`,
};

const places = {
  alone: ({ below, fields }) => below(fields),
  "two deep": ({ below, fields }) => below(`{${below(fields)}}`),
  "before a goal": ({ below, fields }) => `${below(fields)},${creation}`,
  "behind a goal": ({ below, fields }) => `${creation},${below(fields)}`,
  "in the state of a new flow": ({ below, fields, state }) => `${creation},${state}:{${below(fields)}}`,
  [IN_WAITING]: ({ below, fields, state, waiting }) => `${waiting},${state}:{${below(fields)}}`,
  ...lacking,
} as const satisfies Places;

/** What a new flow is given where nothing is sent but its goal. */
const shownOf = ({ status, notifyPolicy, controllerId, goal }: FlowView): string =>
  JSON.stringify({ status, notifyPolicy, controllerId, goal });

const send = (trial: Trial, text: string) => trial.send(withBody(trial.right(), text));
const create = async (trial: Trial) => setUp(await trial.post(createFlow(GOAL)), "create_flow");

const prototypeCase = rowCase({
  id: "BODY-PROTOTYPES",
  title: "Fields inside `__proto__` or `constructor` have no effect, on this request or a later one",
  clauses: ["BODY-OBJECT", "REVISION-REQUIRED", "RUN-TASK-RUNNING-FIELDS"],
  alone: true,
  requests: 90,
  reading:
    "They are fields of unknown names, or are refused. What is not sent must not come from an earlier request: an " +
    "object without fields is answered as before, and a new flow has the same defaults.",
  client: "few",
  table: { factors: { fields: ["below __proto__", "below constructor"], place: namesOf(places) } },
  async begin(trial) {
    const flow = await waitingFlow(trial);
    const before = await readBack(trial, flow.flowId);
    const empty = fingerprint(await send(trial, "{}"));
    return { flow, before, empty, defaults: shownOf(flowOf(await create(trial))) };
  },
  async play(trial, { fields: below, place }, { flow: { flowId, revision }, empty, defaults }) {
    const about = { flowId, expectedRevision: revision };
    const needed = JSON.stringify(about);
    const fields = JSON.stringify({
      action: "finish_flow",
      ...about,
      goal: "planted",
      status: "waiting",
      notifyPolicy: "silent",
    });
    const other = place === IN_WAITING ? flowOf(await create(trial)) : { flowId, revision };
    const waiting = JSON.stringify(change("set_waiting", other)).slice(1, -1);
    const state = JSON.stringify(trial.profile.fields.stateData);
    const task = JSON.stringify(runTask(flowId, { startedAt: 1_700_000_000_000 })).slice(1, -1);
    const given = { below: prototypes[below], fields, needed, state, waiting, task };
    const exchange = await send(trial, `{${places[place](given)}}`);
    if (place in lacking) mustNotAccept(exchange, "a refusal, as a field that it needs is missing");
    const shown = isAccepted(exchange) ? (shownIn(exchange, flowId) ?? flowsOf(exchange)[0]) : undefined;
    const isOwn = shown === undefined || place === IN_WAITING || shownOf(shown) === defaults;
    check(isOwn, "a flow with the fields that were sent, or none", "others", exchange);
    const next = await send(trial, "{}");
    check(fingerprint(next) === empty, "`{}` answered as before it", "otherwise", next);
    const bare = await trial.post({ action: "finish_flow" });
    check(!isAccepted(bare), "finish_flow without fields refused after it", "accepted", bare);
    const created = await create(trial);
    check(shownOf(flowOf(created)) === defaults, "the same defaults after it", "others", created);
  },
  async end(trial, { flow, before }) {
    await mustBeUnchanged(trial, before);
    mustTakeTwin(await trial.post(change("finish_flow", flow)));
  },
});

type Pair = readonly [first: string, second: string];

const bothWays = (pair: Pair): readonly Pair[] => [pair, [pair[1], pair[0]]];

/** Of the values of a name that is there twice; the answer and what is stored may not disagree about which one counts. */
async function mustAgree(trial: Trial, exchange: Exchange, what: string, field: "goal" | "revision"): Promise<void> {
  const [shown] = isAccepted(exchange) ? flowsOf(exchange) : [];
  if (shown?.[field] === undefined) return;
  const kept = await readBack(trial, shown.flowId);
  const isOne = kept?.[field] === undefined || kept[field] === shown[field];
  const expected = `get_flow and the answer to ${what} twice show one ${field}`;
  check(isOne, expected, "each another", exchange, ...trial.last);
}

const twiceCase: Case = {
  id: "BODY-NAME-TWICE",
  title: "Of a field sent twice one value counts for the check, the effect and the answer alike",
  clauses: ["BODY-OBJECT", "REVISION-STALE", "FLOW-GOAL"],
  requests: 40,
  reading: "RFC 8259, 4: what a reader makes of it is open. A target that reads it in two ways contradicts itself.",
  async run(trial) {
    const flow = await waitingFlow(trial);
    await trial.each(bothWays(["the first goal", "the second goal"]), async ([first, second]) => {
      const exchange = await send(trial, `{"action":"create_flow","goal":"${first}","goal":"${second}"}`);
      await mustAgree(trial, exchange, "a goal", "goal");
      const goal = isAccepted(exchange) ? flowsOf(exchange)[0]?.["goal"] : undefined;
      check(goal === undefined || goal === first || goal === second, "one of the two goals", "another", exchange);
    });
    const two = await twoFlows(trial);
    await trial.each(bothWays([two[0].flowId, two[1].flowId]), (pair) => mustChangeOne(trial, two, pair));
    const about = `"flowId":"${flow.flowId}"`;
    for (const [first, second] of bothWays(["get_flow", "set_waiting"])) {
      const now = (await readBack(trial, flow.flowId)) ?? flow;
      const revision = `"expectedRevision":${now.revision}`;
      const exchange = await send(trial, `{"action":"${first}","action":"${second}",${about},${revision}}`);
      await mustAgree(trial, exchange, "an action", "revision");
    }
    for (const ahead of [0, 1]) {
      const now = await readBack(trial, flow.flowId);
      if (now === undefined) break;
      const revisions = `"expectedRevision":${now.revision + ahead},"expectedRevision":${now.revision + 1 - ahead}`;
      const exchange = await send(trial, `{"action":"set_waiting",${about},${revisions}}`);
      if (isAccepted(exchange)) await mustAgree(trial, exchange, "a revision", "revision");
      else await mustBeUnchanged(trial, now, exchange);
    }
    mustAccept(await trial.post(createFlow("once")), "a request with each name once");
  },
};

/** A change with the ids of two flows: one of them changes where it is accepted, and the answer shows that one. */
async function mustChangeOne(trial: Trial, flows: readonly FlowView[], [first, second]: Pair): Promise<void> {
  const read = async () => Promise.all(flows.map(({ flowId }) => readBack(trial, flowId)));
  const before = await read();
  const revision = before[0]?.revision;
  // Only a revision that both have says nothing of which one counts.
  if (revision === undefined || before[1]?.revision !== revision) return;
  const ids = `"flowId":"${first}","flowId":"${second}"`;
  const text = `{"action":"set_waiting",${ids},"expectedRevision":${revision}}`;
  const exchange = await trial.send(withBody(trial.right(), text));
  const after = await read();
  const changed = after.filter((flow, index) => flow?.revision !== before[index]?.revision);
  const count = isAccepted(exchange) ? 1 : 0;
  check(changed.length === count, "one flow changed where it is accepted, else none", "other flows", exchange);
  const [shown] = flowsOf(exchange);
  if (count === 0 || shown === undefined) return;
  check(shown.flowId === changed[0]?.flowId, "the flow that was changed", "another flow", exchange);
}

export const bodyNameCases: readonly Case[] = [prototypeCase, twiceCase];
