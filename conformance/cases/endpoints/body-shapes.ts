/** Sections 4 and 7: the right request in a wrong shape, and actions under names of another spelling. */
import { change, smallest } from "../../interface/bodies.ts";
import { actionNames, actions, type ActionName } from "../../interface/fields.ts";
import type { ActionBody } from "../../interface/request.ts";
import { nearWords } from "../../interface/spellings.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { cellFailure, eachCell, mustRefuseCell, type Cell } from "../../harness/cells.ts";
import { flowsOf, twin, type FlowView } from "../../harness/checks.ts";
import { mustBeUnchanged, readBack, shownIn, waitingFlow } from "../../harness/flows.ts";
import { mustAddNone, taskCount } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const invalid = { status: 400, code: "invalid_request" } as const;

/** The actions whose effect shows. */
const effective = actionNames.filter((name) => actions[name].effect !== "reads");

/** No JSON objects: the whole request is malformed. */
const noObjects: Readonly<Record<string, (right: ActionBody) => string>> = {
  "its name in a list": ({ action }) => JSON.stringify([action]),
  "a list with the object": (right) => JSON.stringify([right]),
};

const nameAlone = { "its name alone": ({ action }: ActionBody) => JSON.stringify(action) };

const otherText: Readonly<Record<string, string>> = {
  nothing: "",
  "only blanks": " \t\r\n ",
  "an empty list": "[]",
  "an empty text": '""',
  "a number": "-1",
  true: "true",
  false: "false",
  null: "null",
  "a list in a list": '[[{"action":"list_flows"}]]',
  "a list of a name and a value": '["action","list_flows"]',
  "a list of pairs": '[["action","list_flows"]]',
  "an object that never ends": '{"action":"create_flow","goal":"x"',
  "a form": "action=create_flow&goal=x",
  "the object as a text": JSON.stringify('{"action":"create_flow","goal":"x"}'),
  "two objects": '{"action":"list_flows"}{"action":"list_flows"}',
  "two lines": '{"action":"list_flows"}\n{"action":"list_flows"}',
  "an object and a NUL": '{"action":"list_flows"}\u0000',
  "an object in quotation marks": '\'{"action":"list_flows"}\'',
  "an object with a name before it": 'payload={"action":"list_flows"}',
  XML: "<request><action>list_flows</action></request>",
};

/** Objects whose `action` is no text. */
const noText: Readonly<Record<string, (right: ActionBody) => unknown>> = {
  "action in a list": (right) => ({ ...right, action: [right.action] }),
  "action as an object": (right) => ({ ...right, action: { name: right.action } }),
  "action as what turns into a text": (right) => ({ ...right, action: { toString: right.action, length: 1 } }),
};

/** Objects without an `action`, whatever that is answered with. */
const elsewhere: Readonly<Record<string, (right: ActionBody) => unknown>> = {
  "the object as body": (right) => ({ body: right }),
  "the object as data": (right) => ({ data: right, params: right, payload: right }),
  "the object under its action": (right) => ({ [right.action]: right }),
  "the object in a list": (right) => ({ 0: right, length: 1 }),
};

type Shapes = Readonly<Record<string, (right: ActionBody) => unknown>>;

const cellsOf = (shapes: Shapes, names: readonly ActionName[], right: (name: ActionName) => ActionBody): Cell[] =>
  Object.entries(shapes).flatMap(([row, shape]) =>
    names.map((name) => {
      const body = shape(right(name));
      return { row, column: name, body: typeof body === "string" ? body : JSON.stringify(body) };
    }),
  );

/** Fails where the answer shows that the action was carried out. `before`: the flow that it is about. */
function mustNotAct(cell: Cell, exchange: Exchange, before: FlowView): void {
  if (!isAccepted(exchange)) return;
  const shown = shownIn(exchange, before.flowId) ?? flowsOf(exchange)[0];
  if (shown !== undefined) throw cellFailure(cell, "no action carried out", "a flow in the result", exchange);
}

/** A flow without tasks, whose end could change it, and what is right about it. */
async function subject(trial: Trial) {
  const flow = await waitingFlow(trial);
  const current = await readBack(trial, flow.flowId);
  const tasks = await taskCount(trial, flow.flowId);
  const right = (name: ActionName): ActionBody => smallest(name, flow, trial.profile.fields);
  return {
    flow,
    right,
    async mustBeAsBefore() {
      await mustBeUnchanged(trial, current);
      await mustAddNone(trial, flow.flowId, tasks);
    },
  };
}

const shapeCase: Case = {
  id: "BODY-SHAPES",
  title: "The right request in another shape than an object with a text `action` is not carried out",
  clauses: ["BODY-OBJECT", "ERROR-INVALID"],
  requests: 118,
  reading:
    "A body that is no object, or whose `action` is no text, is refused. Without an `action` at the top the answer is " +
    "open (section 4), but nothing is done.",
  async run(trial) {
    const { flow, right, mustBeAsBefore } = await subject(trial);
    const texts = Object.entries(otherText).map(([row, body]) => ({ row, column: "any", body }));
    const alone = cellsOf(nameAlone, actionNames, right);
    const malformed = [...alone, ...cellsOf(noObjects, effective, right), ...texts];
    await eachCell(trial, malformed, (cell, exchange) => mustRefuseCell(cell, exchange, invalid));
    const numbered = { row: "action as a number", column: "any", body: '{"action":1,"goal":"x"}' };
    await eachCell(trial, [...cellsOf(noText, effective, right), numbered], (cell, exchange) =>
      mustRefuseCell(cell, exchange),
    );
    await eachCell(trial, cellsOf(elsewhere, effective, right), (cell, exchange) => mustNotAct(cell, exchange, flow));
    await mustBeAsBefore();
    twin(await trial.post(change("set_waiting", flow)));
  },
};

/** Actions whose result tells that they were carried out. */
const telling = actionNames.filter((name) => name !== "get_task_summary" && name !== "resolve_flow");

const nameCase: Case = {
  id: "ACTION-NAME-EXACT",
  title: "An action whose name has another spelling is not carried out",
  clauses: ["BODY-OBJECT", "VALIDATION"],
  level: "should",
  requests: 118,
  reading:
    "Section 4 lists the names. How an unknown one is answered is open; one who reads it loosely carries out what " +
    "others refuse, and a caller learns nothing of a slip.",
  async run(trial) {
    const { flow, right, mustBeAsBefore } = await subject(trial);
    const ways = new Set(["capitals", "a blank behind it", "no sign between its words", "text behind a NUL"]);
    const cells = telling.flatMap((action, index) =>
      nearWords(action)
        // The four that happen most for every action, the others in turns.
        .filter(({ what }, at) => ways.has(what) || at % 3 === index % 3)
        .map(({ what, name }) => ({ row: what, column: action, body: { ...right(action), action: name } })),
    );
    await eachCell(trial, cells, (cell, exchange) => mustNotAct(cell, exchange, flow));
    await mustBeAsBefore();
    twin(await trial.post(change("set_waiting", flow)));
  },
};

export const bodyShapeCases: readonly Case[] = [shapeCase, nameCase];
