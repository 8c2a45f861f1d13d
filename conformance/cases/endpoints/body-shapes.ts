/** Sections 4 and 7: the right request in a wrong shape, actions under names of another spelling, and what is JSON. */
import { inheritedNames, malformedBodies } from "../../interface/broken-requests.ts";
import { actionNames, actions, type ActionName } from "../../interface/fields.ts";
import { asSent, namedValues } from "../../foundation/value-name.ts";
import { withBody, type ActionBody } from "../../interface/request.ts";
import { nearWords } from "../../interface/spellings.ts";
import type { Case } from "../../harness/case.ts";
import { change, type FlowAt } from "../../interface/bodies.ts";
import type { FieldNames } from "../../interface/gaps.ts";
import { brokenObjects, brokenValues, refusableValues, otherValues } from "../../interface/json-forms.ts";
import { isAccepted } from "../../http/exchange.ts";
import { failureOf, NotApplicable } from "../../harness/case-errors.ts";
import { withValues } from "../../harness/finding.ts";
import { isShownAs, mustAccept } from "../../harness/checks.ts";
import { flowAfter } from "../../harness/flows.ts";
import { invalid, notActed, spoiltRows, type Spoilt } from "../../oracle/spoilt-rows.ts";

/** The actions whose effect shows. */
const effective = actionNames.filter((name) => actions[name].effect !== "reads");

type Shapes = Readonly<Record<string, (right: ActionBody) => Spoilt["body"]>>;

/** No JSON objects: the whole request is malformed. */
const noObjects: Shapes = {
  "the action's name in a list": ({ action }) => JSON.stringify([action]),
  "a list with the object": (right) => JSON.stringify([right]),
};

const nameAlone: Shapes = { "its name alone": ({ action }) => JSON.stringify(action) };

const otherText = namedValues(
  {
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
  },
  asSent,
);

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

const requestsOf = (
  shapes: Shapes,
  names: readonly ActionName[],
  right: (name: ActionName) => ActionBody,
  as: Spoilt["as"],
): Spoilt[] =>
  Object.entries(shapes).flatMap(([value, shape]) =>
    names.map((name) => ({ factor: name, value, body: shape(right(name)), as })),
  );

/** Actions whose result tells that they were carried out. */
const telling = actionNames.filter((name) => name !== "get_task_summary" && name !== "resolve_flow");

export const bodyShapeCases: readonly Case[] = [
  spoiltRows({
    id: "BODY-SHAPES",
    title: "A body that is not an object with a string `action` is not carried out",
    clauses: ["BODY-OBJECT", "ERROR-INVALID"],
    requests: 118,
    reading:
      "A body that is not an object, or whose `action` is not a string, is refused. Without an `action` at the top the answer is " +
      "open (section 4), but nothing is done.",
    action: "set_waiting",
    spoilt: ({ smallest }) => [
      ...requestsOf(nameAlone, actionNames, smallest, invalid),
      ...requestsOf(noObjects, effective, smallest, invalid),
      ...Object.entries(otherText).map(([value, body]) => ({ factor: "any", value, body, as: invalid })),
      ...requestsOf(noText, effective, smallest, {}),
      { factor: "any", value: "action as a number", body: '{"action":1,"goal":"x"}', as: {} },
      ...requestsOf(elsewhere, effective, smallest, notActed),
    ],
  }),
  spoiltRows({
    id: "ACTION-NAME-EXACT",
    title: "Another spelling of an action's name is refused",
    clauses: ["BODY-OBJECT", "VALIDATION"],
    level: "should",
    requests: 118,
    reading:
      "Section 4 lists the names, and section 9 calls them the accepted values. How an unknown one is answered is open, but " +
      "where it is accepted, carried out or not, a caller learns nothing of a slip.",
    action: "set_waiting",
    spoilt({ smallest }) {
      const ways = new Set(["capitals", "a blank after the name", "no sign between the words", "text behind a NUL"]);
      return telling.flatMap((action, index) =>
        nearWords(action)
          // The four that happen most for every action, the others in turns.
          .filter(({ what }, at) => ways.has(what) || at % 3 === index % 3)
          .map(({ what, name }) => {
            return { factor: action, value: what, body: { ...smallest(action), action: name }, as: {} };
          }),
      );
    },
  }),
  spoiltRows({
    id: "ACTION-NAME-INHERITED",
    title: "An action named like an inherited property, such as `toString`, is refused as unknown",
    clauses: ["BODY-OBJECT", "ENVELOPE-OK"],
    requests: 30,
    reading:
      "How an unknown action is answered is open. But `ok: true` is said of success (section 2), and a target that refuses one " +
      "unknown word and accepts this one has found what no table of actions holds. Where each unknown word is accepted " +
      "ACTION-NAME-EXACT warns.",
    action: "set_waiting",
    async given(trial, { right }) {
      const unknown = await trial.post({ ...right, action: "no_such_action" });
      if (isAccepted(unknown)) throw new NotApplicable("an unknown action is accepted, whatever its name");
      return {};
    },
    spoilt: ({ right }) =>
      inheritedNames.map((action) => ({ factor: "action", value: action, body: { ...right, action }, as: {} })),
  }),
];

const data = '{"list":[true,1],"text":"b"}';

/** A set_waiting as text, with this text in the place of its data. */
function changeWith({ stateData }: FieldNames, flow: FlowAt, value: string): string {
  const mark = "the data";
  return JSON.stringify(change("set_waiting", flow, { [stateData]: mark })).replace(JSON.stringify(mark), () => value);
}

/** A set_waiting with this as its data, which has to be shown like the same in plain JSON. */
function stored(value: string, text: string, fields: FieldNames, known: { flow: FlowAt }): Spoilt {
  return {
    factor: "data",
    value,
    body: () => changeWith(fields, known.flow, text),
    async as(exchange, trial) {
      if (!isAccepted(exchange) && value in refusableValues) return;
      mustAccept(exchange, "2xx with ok: true");
      const flow = await flowAfter(trial, exchange, known.flow.flowId);
      known.flow = flow;
      const shown = flow[fields.stateData];
      const sent: unknown = JSON.parse(text);
      if (shown === undefined || isShownAs(sent, shown)) return;
      const found = { expected: "the data as it was sent", actual: "other data", exchanges: [exchange] };
      throw failureOf(withValues(found, fields.stateData, sent, shown));
    },
  };
}

export const jsonCases: readonly Case[] = [
  spoiltRows({
    id: "BODY-JSON-GRAMMAR",
    action: "set_waiting",
    title: "Invalid JSON is refused and stores nothing; valid JSON is read as the standard says",
    clauses: ["BODY-OBJECT", "ERROR-INVALID"],
    requests: 80,
    reading:
      "Section 4: the body is JSON, and RFC 8259 says what that is. A reader that takes more lets through what other " +
      "systems read otherwise or not at all. Numbers beyond 15 digits, and names with a meaning in some language, may be " +
      "refused; what is taken is shown as it was sent, a number as the same double (beyond all doubles as null). Data is judged where the target takes objects as the data of set_waiting.",
    async given(trial, { fields }): Promise<{ known: { flow: FlowAt } | undefined }> {
      const flow = await trial.flow();
      const exchange = await trial.send(withBody(trial.right(), changeWith(fields, flow, data)));
      if (!isAccepted(exchange)) return { known: undefined };
      return { known: { flow: await flowAfter(trial, exchange, flow.flowId) } };
    },
    spoilt({ flow, right, fields, ...given }) {
      const whole = JSON.stringify(right);
      const { known } = "known" in given ? given : { known: { flow } };
      const inData = (value: string, text: string): Spoilt => {
        return { factor: "data", value, body: changeWith(fields, flow, text), as: invalid };
      };
      const bodies = Object.entries(brokenObjects).map(([value, spell]): Spoilt => {
        return { factor: "the body", value, body: spell(whole), as: invalid };
      });
      if (known === undefined) return bodies;
      return [
        ...bodies,
        ...Object.entries(brokenObjects).map(([value, spell]) => inData(value, spell(data))),
        ...Object.entries(brokenValues).map(([value, text]) => inData(value, `{"value":${text}}`)),
        ...Object.entries({ ...otherValues, ...refusableValues }).map(([value, text]) =>
          stored(value, `{"value":${text}}`, fields, known),
        ),
      ];
    },
  }),
];
