/** Sections 2, 4 and 7: values that are near a right one in each field that decides what a request does, and values of another type. */
import { randomUUID } from "node:crypto";
import { createFlow, getFlow, runTask } from "../../interface/bodies.ts";
import { namedValues } from "../../foundation/value-name.ts";
import {
  near,
  nearIds,
  noIds,
  noNumbers,
  noRevisions,
  noRuntimes,
  notRunning,
  type NearValue,
} from "../../interface/near-values.ts";
import type { ActionBody } from "../../interface/request.ts";
import { idOf } from "../../interface/values.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf } from "../../harness/checks.ts";
import { changeActions } from "../../interface/flow-model.ts";
import { absentId, mustReadFields, resultText, shownIn, mustUnderstand } from "../../harness/flows.ts";
import { acceptedTime, rightTask } from "../../harness/tasks.ts";
import { invalid, notActed, spoiltRows, valuesIn, type Spoilt } from "../../oracle/spoilt-rows.ts";

const idReading =
  "No flow has such an id. White space around an id may be trimmed, so that is not judged, nor the case of one that is no more " +
  "than hex, a UUID or a ULID. Any other id with its letters in another case is another text.";

/** What may stand beside the runtime; a check may depend on it. */
const surroundings: readonly (readonly [factor: string, more: Readonly<Record<string, unknown>>])[] = [
  ["runtime", {}],
  ["runtime, status running", { status: "running" }],
  ["runtime, status queued", { status: "queued" }],
  ["runtime, progress", { status: "running", progressSummary: "half of it" }],
];

/** `noRuntimes` begins with so many that other systems have. */
const OTHER_RUNTIMES = 3;

/** Neither a text nor a time in any form; null may be as good as a field that is not sent. */
const noTexts = namedValues<unknown>({
  true: true,
  false: false,
  "an empty list": [],
  "a list of a text": ["queued"],
  "an empty object": {},
  "an object with a text": { text: "queued" },
});
/** A time may be a number. */
const numbers = namedValues({ 0: 0, 1: 1, "a fraction": 0.5 });

const typed = (right: ActionBody, fields: readonly string[], values: Readonly<Record<string, unknown>>): Spoilt[] =>
  fields.flatMap((factor) =>
    Object.entries(values).map(([what, value]) => {
      // Each creation has a goal of its own, by which a flow is known that was made although it was refused.
      const goal = right.action === "create_flow" ? { goal: `typed ${factor} ${what} ${randomUUID()}` } : {};
      return { factor, value: what, body: { ...right, ...goal, [factor]: value }, as: invalid };
    }),
  );

/** The result with each of these ids, which it may show, written as one. */
const resultFor = (ids: readonly string[], exchange: Exchange): string =>
  ids.reduce((text, id) => text.replaceAll(JSON.stringify(id), "id"), resultText(exchange));

/** Under a name that every object has a careless look finds something, and shows that in place of no flow. */
function asAbsent({ json }: NearValue, absent: string): Spoilt["as"] {
  const name = String(JSON.parse(json));
  if (!(name in {})) return notActed;
  return async (exchange, trial) => {
    if (!isAccepted(exchange)) return;
    check(flowsOf(exchange).length === 0, notActed, "a flow in the result", exchange);
    const read = async () => resultFor([name, absent], await trial.post(getFlow(absent, trial.profile.fields)));
    const right = await read();
    // An answer may hold what is new each time.
    const isRight = resultFor([name, absent], exchange) === right || (await read()) !== right;
    check(isRight, "the answer for an absent flow", "another result", exchange);
  };
}

export const fieldValueCases: readonly Case[] = [
  ...changeActions.map((action) =>
    spoiltRows({
      id: `FIELD-VALUES-${idOf(action)}`,
      title: `${action} with an almost right flow id or revision is refused and changes nothing`,
      clauses: ["REVISION-REQUIRED", "FLOW-IDENTITY", "ERROR-INVALID", "ERROR-NOT-FOUND"],
      requests: 116,
      reading:
        "A revision is an integer and a flowId a string (section 2). What is no number is malformed as a revision; numbers " +
        "that no revision is, and ids that no flow has, may be refused with any status and code.",
      action,
      spoilt: ({ right, flow: { flowId, revision } }) => [
        ...["flowId", "expectedRevision"].map((factor): Spoilt => {
          return { factor, value: "no value", body: { ...right, [factor]: undefined }, as: invalid };
        }),
        ...valuesIn(right, "expectedRevision", noNumbers(revision), invalid),
        ...valuesIn(right, "expectedRevision", noRevisions(revision), {}),
        ...valuesIn(right, "flowId", [...nearIds(flowId), ...noIds(flowId)], {}),
      ],
    }),
  ),
  spoiltRows({
    id: "FIELD-VALUES-CANCEL-FLOW",
    title: "cancel_flow with an almost right flow id is refused and cancels nothing",
    clauses: ["STATE-CANCEL", "ERROR-NOT-FOUND"],
    requests: 56,
    reading: idReading,
    action: "cancel_flow",
    spoilt: ({ right, flow, fields }) => valuesIn(right, fields.cancelFlowId, nearIds(flow.flowId), {}, "flowId"),
  }),
  spoiltRows({
    id: "FIELD-VALUES-GET-FLOW",
    title: "get_flow with an almost right flow id shows no flow",
    clauses: ["ACTION-GET-FLOW"],
    requests: 54,
    reading: idReading,
    action: "get_flow",
    async given(trial, { right, flow }) {
      const exchange = mustUnderstand(await trial.post(right), "get_flow");
      if (shownIn(exchange, flow.flowId) === undefined) throw new NotApplicable("get_flow does not show the flow");
      await mustReadFields(trial, right, exchange);
      return { sessionKey: trial.route.sessionKey };
    },
    // What resolve_flow may take for a token is no id here.
    spoilt: ({ right, flow: { flowId }, fields, sessionKey = "" }) =>
      [...nearIds(flowId), near("the key of the session", sessionKey)].flatMap((id) =>
        valuesIn(right, fields.getFlowId, [id], asAbsent(id, absentId(flowId)), "flowId"),
      ),
  }),
  spoiltRows({
    id: "FIELD-VALUES-RUN-TASK",
    title: "run_task with an almost right flow id is refused and adds no task",
    clauses: ["RUN-TASK-FLOW", "FLOW-IDENTITY", "ERROR-NOT-FOUND"],
    requests: 74,
    reading: idReading,
    action: "run_task",
    spoilt: ({ right, flow: { flowId } }) => valuesIn(right, "flowId", [...nearIds(flowId), ...noIds(flowId)], {}),
  }),
  spoiltRows({
    id: "RUN-TASK-RUNTIMES",
    title: "run_task with a runtime that is not allowed gets 400 invalid_request",
    clauses: ["RUN-TASK-RUNTIME", "ERROR-INVALID"],
    requests: 74,
    reading: "The allowed values are `subagent` and `acp`, spelled so (section 4).",
    action: "run_task",
    async given(trial, { right }) {
      const { flowId } = await trial.flow();
      const lawful: string[] = [];
      for (const [factor, more] of surroundings)
        if (isAccepted(await trial.post({ ...right, ...more, flowId }))) lawful.push(factor);
      if (lawful.length === 0)
        throw new Unreached("run_task is accepted with no runtime", trial.last, "action and fields");
      return { lawful };
    },
    // Runtimes that others have beside each of the surroundings, the others in turns.
    spoilt: ({ right, lawful }) =>
      noRuntimes
        .flatMap((value, index) =>
          surroundings
            .filter((_one, turn) => index < OTHER_RUNTIMES || index % surroundings.length === turn)
            .flatMap(([factor, more]) => valuesIn({ ...right, ...more }, "runtime", [value], invalid, factor)),
        )
        .filter(({ factor }) => lawful?.includes(factor) ?? true),
  }),
  spoiltRows({
    id: "RUN-TASK-STATUSES",
    title: "run_task with a running task's field and another status gets 400 invalid_request",
    clauses: ["RUN-TASK-RUNNING-FIELDS", "ERROR-INVALID"],
    requests: 52,
    reading: "The rule holds for any status other than `running`, spelled so (section 4).",
    action: "run_task",
    given: async (trial) => ({
      time: await acceptedTime(trial, await rightTask(trial, (await trial.flow()).flowId)),
    }),
    spoilt({ right, flow, time }) {
      // All three fields with each status: RUN-TASK-WRONG has each of them alone, with fewer statuses.
      const running = { startedAt: time, lastEventAt: time, progressSummary: "half of it" };
      return notRunning.flatMap((status, at) => {
        const body = runTask(flow.flowId, { ...right, runtime: at % 2 === 0 ? "subagent" : "acp", ...running });
        return valuesIn(body, "status", [status], invalid, "a running task's fields");
      });
    },
  }),
  spoiltRows({
    id: "FIELD-TYPES",
    title: "create_flow and run_task with a field of another type get 400 invalid_request",
    clauses: ["ERROR-INVALID", "ACTION-CREATE-FLOW", "FLOW-TEXTS"],
    requests: 94,
    reading:
      "Section 4 gives the types of these fields. One who turns the value into a text carries out what the caller did " +
      "not mean. Null may stand for a field that is not sent, and a time may be a number or a text.",
    action: "run_task",
    async given(trial, { right }) {
      const other = { ...right, flowId: (await trial.flow()).flowId, status: "running" };
      const time = await acceptedTime(trial, other);
      const all = { ...other, startedAt: time, lastEventAt: time, progressSummary: "half of it" };
      if (!isAccepted(await trial.post(all)))
        throw new Unreached("run_task refused with all its fields", trial.last, "action and fields");
      return {};
    },
    spoilt({ right }) {
      const running = { ...right, status: "running" };
      const texts = { ...noTexts, ...numbers };
      const times = { ...noTexts, ...namedValues({ "a word": "yesterday", "an empty text": "" }) };
      return [
        ...typed(createFlow("typed"), ["goal", "status", "notifyPolicy"], texts),
        ...typed(running, ["task", "childSessionKey", "progressSummary"], texts),
        ...typed(running, ["startedAt", "lastEventAt"], times),
      ];
    },
  }),
];
