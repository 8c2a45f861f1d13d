/** Sections 4 and 7: the right request in a wrong shape, actions under names of another spelling, and what is JSON. */
import { inheritedNames, malformedBodies } from "../../interface/broken-requests.ts";
import { actionNames, actions, type ActionName } from "../../interface/fields.ts";
import { withBody, type ActionBody } from "../../interface/request.ts";
import { nearWords } from "../../interface/spellings.ts";
import type { Case } from "../../harness/case.ts";
import { invalid, notActed, spoiltRequests, type Spoilt } from "../../harness/spoilt-requests.ts";
import { change } from "../../interface/bodies.ts";
import { brokenObjects, brokenValues, longNumbers, otherValues } from "../../interface/json-forms.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { cellFailure, type Cell } from "../../harness/cells.ts";
import { isShownAs, type FlowView } from "../../harness/checks.ts";
import { flowAfter } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

/** The actions whose effect shows. */
const effective = actionNames.filter((name) => actions[name].effect !== "reads");

type Shapes = Readonly<Record<string, (right: ActionBody) => Cell["body"]>>;

/** No JSON objects: the whole request is malformed. */
const noObjects: Shapes = {
  "its name in a list": ({ action }) => JSON.stringify([action]),
  "a list with the object": (right) => JSON.stringify([right]),
};

const nameAlone: Shapes = { "its name alone": ({ action }) => JSON.stringify(action) };

const otherText: Readonly<Record<string, string>> = {
  ...Object.fromEntries(malformedBodies.map(({ what, body }) => [what, body])),
  "only blanks": " \t\r\n ",
  "an empty list": "[]",
  "an empty text": '""',
  false: "false",
  "a list in a list": '[[{"action":"list_flows"}]]',
  "a list of a name and a value": '["action","list_flows"]',
  "a list of pairs": '[["action","list_flows"]]',
  "two lines": '{"action":"list_flows"}\n{"action":"list_flows"}',
  "an object and a NUL": '{"action":"list_flows"}\u0000',
  "an object in quotation marks": '\'{"action":"list_flows"}\'',
  "an object with a name before it": 'payload={"action":"list_flows"}',
  XML: "<request><action>list_flows</action></request>",
};

/** Objects whose `action` is no text. */
const noText: Shapes = {
  "action in a list": (right) => ({ ...right, action: [right.action] }),
  "action as an object": (right) => ({ ...right, action: { name: right.action } }),
  "action as what turns into a text": (right) => ({ ...right, action: { toString: right.action, length: 1 } }),
};

/** Objects without an `action`, whatever that is answered with. */
const elsewhere: Shapes = {
  "the object as body": (right) => ({ body: right }),
  "the object as data": (right) => ({ data: right, params: right, payload: right }),
  "the object under its action": (right) => ({ [right.action]: right }),
  "the object in a list": (right) => ({ 0: right, length: 1 }),
};

const cellsOf = (
  shapes: Shapes,
  names: readonly ActionName[],
  right: (name: ActionName) => ActionBody,
  as: Spoilt["as"],
): Spoilt[] =>
  Object.entries(shapes).flatMap(([row, shape]) =>
    names.map((name) => ({ row, column: name, body: shape(right(name)), as })),
  );

/** Actions whose result tells that they were carried out. */
const telling = actionNames.filter((name) => name !== "get_task_summary" && name !== "resolve_flow");

export const bodyShapeCases: readonly Case[] = [
  spoiltRequests({
    id: "BODY-SHAPES",
    title: "The right request in another shape than an object with a text `action` is not carried out",
    clauses: ["BODY-OBJECT", "ERROR-INVALID"],
    requests: 118,
    reading:
      "A body that is no object, or whose `action` is no text, is refused. Without an `action` at the top the answer is " +
      "open (section 4), but nothing is done.",
    action: "set_waiting",
    cells: ({ smallest }) => [
      ...cellsOf(nameAlone, actionNames, smallest, invalid),
      ...cellsOf(noObjects, effective, smallest, invalid),
      ...Object.entries(otherText).map(([row, body]) => ({ row, column: "any", body, as: invalid })),
      ...cellsOf(noText, effective, smallest, {}),
      { row: "action as a number", column: "any", body: '{"action":1,"goal":"x"}', as: {} },
      ...cellsOf(elsewhere, effective, smallest, notActed),
    ],
  }),
  spoiltRequests({
    id: "ACTION-NAME-EXACT",
    title: "An action whose name has another spelling is refused",
    clauses: ["BODY-OBJECT", "VALIDATION"],
    level: "should",
    requests: 118,
    reading:
      "Section 4 lists the names, and section 9 calls them the accepted values. How an unknown one is answered is open, but " +
      "where it is accepted, carried out or not, a caller learns nothing of a slip.",
    action: "set_waiting",
    cells({ smallest }) {
      const ways = new Set(["capitals", "a blank behind it", "no sign between its words", "text behind a NUL"]);
      return telling.flatMap((action, index) =>
        nearWords(action)
          // The four that happen most for every action, the others in turns.
          .filter(({ what }, at) => ways.has(what) || at % 3 === index % 3)
          .map(({ what, name }) => {
            return { row: what, column: action, body: { ...smallest(action), action: name }, as: {} };
          }),
      );
    },
  }),
  spoiltRequests({
    id: "ACTION-NAME-INHERITED",
    title: "An action that is a name of every object is refused like another unknown one",
    clauses: ["BODY-OBJECT", "ENVELOPE-OK"],
    requests: 30,
    reading:
      "How an unknown action is answered is open. But `ok: true` is said of success (section 2), and a target that refuses one " +
      "unknown word and accepts this one has found what no table of actions holds. Where each unknown word is accepted " +
      "ACTION-NAME-EXACT warns.",
    action: "set_waiting",
    async cells({ trial, right }) {
      const unknown = await trial.post({ ...right, action: "no_such_action" });
      if (isAccepted(unknown)) throw new NotApplicable("an unknown action is accepted, whatever its name");
      return inheritedNames.map((action) => ({ row: action, column: "action", body: { ...right, action }, as: {} }));
    },
  }),
];

const data = '{"list":[true,1],"text":"b"}';

/** A set_waiting as text, with this text in the place of its data. */
function changeWith(trial: Trial, flow: FlowView, value: string): string {
  const mark = "the data";
  const { stateData } = trial.profile.fields;
  return JSON.stringify(change("set_waiting", flow, { [stateData]: mark })).replace(JSON.stringify(mark), () => value);
}

/** Sends a set_waiting with this text as its data. */
const store = (trial: Trial, flow: FlowView, value: string): Promise<Exchange> =>
  trial.send(withBody(trial.right(), changeWith(trial, flow, value)));

const broken = spoiltRequests({
  id: "BODY-JSON-GRAMMAR",
  action: "set_waiting",
  title: "What is no JSON is refused and stores nothing; JSON in any spelling is read as what it says",
  clauses: ["BODY-OBJECT", "ERROR-INVALID"],
  requests: 80,
  reading:
    "Section 4: the body is JSON, and RFC 8259 says what that is. A reader that takes more lets through what other " +
    "systems read otherwise or not at all. Numbers beyond 15 digits may be refused; one that is taken is shown as a number, the " +
    "same as a double. Data is judged where the target takes objects as the data of set_waiting.",
  async cells({ trial, flow, right }) {
    const whole = JSON.stringify(right);
    const takesData = isAccepted(await store(trial, await trial.flow(), data));
    const inData = (row: string, value: string): Spoilt[] =>
      takesData ? [{ row, column: "data", body: changeWith(trial, flow, value), as: invalid }] : [];
    return [
      ...Object.entries(brokenObjects).flatMap(([row, spell]): Spoilt[] => [
        { row, column: "the body", body: spell(whole), as: invalid },
        ...inData(row, spell(data)),
      ]),
      ...Object.entries(brokenValues).flatMap(([row, value]) => inData(row, `{"value":${value}}`)),
    ];
  },
});

/** Fails where the data is refused or shown as other data than the same in plain JSON. */
async function mustReadOtherSpellings(trial: Trial): Promise<void> {
  let flow = await trial.flow();
  const taken = await store(trial, flow, data);
  if (!isAccepted(taken)) return;
  flow = await flowAfter(trial, taken, flow.flowId);
  for (const [row, value] of Object.entries({ ...otherValues, ...longNumbers })) {
    const text = `{"value":${value}}`;
    const cell: Cell = { row, column: "data", body: text };
    const exchange = await store(trial, flow, text);
    if (!isAccepted(exchange) && row in longNumbers) continue;
    if (!isAccepted(exchange)) throw cellFailure(cell, "2xx with ok: true", describe(exchange), exchange);
    flow = await flowAfter(trial, exchange, flow.flowId);
    const shown = flow[trial.profile.fields.stateData];
    await trial.part(() => {
      if (shown !== undefined && !isShownAs(JSON.parse(text), shown))
        throw cellFailure(cell, "the data as it was sent", "other data", exchange);
    });
  }
}

export const jsonCases: readonly Case[] = [
  {
    ...broken,
    async run(trial) {
      await broken.run(trial);
      await mustReadOtherSpellings(trial);
    },
  },
];
