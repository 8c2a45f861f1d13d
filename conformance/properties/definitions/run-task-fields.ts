/** A right run_task with any deviations: accepted if and only if the rules say so, and a task added only then. */
import * as fc from "fast-check";
import { visitColumns, type Column } from "../../interface/flow-model.ts";
import { noIds, noRuntimes, notRunning, type NearValue } from "../../interface/near-values.ts";
import { creationOf, type Fields } from "../../oracle/flow-requests.ts";
import { intentOf, shuffled, anyText, type Intent } from "../generate/intents.ts";
import { flowProperty } from "./flows.ts";

const LENGTH = 24;

const isText = (value: unknown) => typeof value === "string";
const isOther = (value: unknown) => !isText(value);
/** Values that careless code takes for a right one. In a story a name that begins with $ refers to what the target gave. */
const odd = (values: readonly NearValue[], is: (value: unknown) => boolean = () => true): fc.Arbitrary<unknown> => {
  const texts = values.map(({ json }) => json).filter((json) => !json.includes('"$'));
  return fc.constantFrom(...texts.map((json): unknown => JSON.parse(json)).filter(is));
};
const oddTask = fc.oneof(fc.constantFrom("", " "), odd(noIds("the task"))).map((task) => ({ task }));

const runningOnly = fc.oneof(
  fc.record({ startedAt: fc.constantFrom<unknown>(0, 1, 1_700_000_000_000, "2026-01-01T00:00:00Z", null) }),
  fc.record({ lastEventAt: fc.constantFrom<unknown>(0, 1, 1_700_000_000_000, "2026-01-01T00:00:00Z", null) }),
  fc.record({ progressSummary: fc.oneof(anyText, fc.constantFrom<unknown>("", null, "half of it")) }),
);

const badFlowId = fc.constantFrom<Fields>({ flowId: "" }, { flowId: 0 }, { flowId: null });
const badField = fc.constantFrom<Fields>({ notAField: 1 }, { label: "l" }, { childSessionKey: null });

/** One deviation from the valid request. */
const deviation: fc.Arbitrary<Fields> = fc.oneof(
  { arbitrary: runningOnly, weight: 5 },
  { arbitrary: fc.constantFrom<Fields>({ status: "running" }, { status: "queued" }), weight: 5 },
  { arbitrary: odd(notRunning).map((status) => ({ status })), weight: 1 },
  { arbitrary: odd(noRuntimes).map((runtime) => ({ runtime })), weight: 2 },
  { arbitrary: fc.constantFrom("subagent", "acp").map((runtime) => ({ runtime })), weight: 2 },
  { arbitrary: oddTask, weight: 1 },
  { arbitrary: anyText.map((task) => ({ task })), weight: 1 },
  { arbitrary: badFlowId, weight: 1 },
  { arbitrary: badField, weight: 1 },
);

const base = fc.constantFrom<Fields>({}, {}, { status: "running" });
const more = fc.tuple(base, fc.array(deviation, { minLength: 0, maxLength: 3 })).map(([first, others]) => {
  return Object.assign({}, first, ...others) as Fields;
});

const open = fc.constantFrom("new" as const, "waiting" as const);

const intentWith = (column: fc.Arbitrary<Column>, fields: fc.Arbitrary<Fields>): fc.Arbitrary<Intent> =>
  intentOf({ action: "run_task", column, more: fields, looks: true, looksBy: "get_task_summary" });

/** Every story has each of these once, alone at a flow that accepts a task. */
const each = [
  odd(noRuntimes, isText).map((runtime) => ({ runtime })),
  odd(noRuntimes, isOther).map((runtime) => ({ runtime })),
  odd(notRunning, isText).map((status) => ({ status })),
  odd(notRunning, isOther).map((status) => ({ status })),
  oddTask,
  badFlowId,
  badField,
  runningOnly,
  runningOnly.map((fields) => ({ ...fields, status: "running" })),
].map((fields) => intentWith(open, fields));
/** Mostly states in which a flow accepts a task. */
const column = fc.oneof({ arbitrary: open, weight: 4 }, { arbitrary: fc.constantFrom(...visitColumns), weight: 1 });
const mixed = Array.from({ length: LENGTH - each.length }, () => intentWith(column, more));

/** Whether a childSessionKey is wanted may differ between the runtimes, and is learned from a refusal. */
const learning = (["acp", "acp", "subagent"] as const).map((runtime) =>
  intentWith(fc.constant("new"), fc.constant({ runtime })),
);

export const runTaskFields = flowProperty({
  id: "PROPERTY-RUN-TASK",
  title: "run_task is accepted if and only if the rules on its fields allow it",
  clauses: ["RUN-TASK-RUNNING-FIELDS", "RUN-TASK-RUNTIME", "RUN-TASK-FLOW", "RUN-TASK-STATUS", "ACTION-RUN-TASK"],
  reading: "Whether a task was added is seen by the flow's task summary, where that counts them.",
  begin: [creationOf("f1")],
  intents: fc.tuple(fc.tuple(...learning), shuffled(fc.tuple(...each, ...mixed))).map((all) => all.flat()),
});
