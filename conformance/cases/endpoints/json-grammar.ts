/** Section 4: what is JSON by RFC 8259 is read, what is not is refused, as the whole body and in the data that a flow stores. */
import { change } from "../../interface/bodies.ts";
import { brokenObjects, brokenValues, otherValues } from "../../interface/json-forms.ts";
import { withBody } from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { cellFailure, type Cell } from "../../harness/cells.ts";
import { isShownAs, type FlowView } from "../../harness/checks.ts";
import { flowAfter } from "../../harness/flows.ts";
import { invalid, spoiltRequests, type Spoilt } from "../../harness/spoilt-requests.ts";
import type { Trial } from "../../harness/trial.ts";

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
    "systems read otherwise or not at all. Data is judged where the target takes objects as the data of set_waiting.",
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
  for (const [row, value] of Object.entries(otherValues)) {
    const text = `{"value":${value}}`;
    const cell: Cell = { row, column: "data", body: text };
    const exchange = await store(trial, flow, text);
    if (!isAccepted(exchange)) throw cellFailure(cell, "2xx with ok: true", describe(exchange), exchange);
    flow = await flowAfter(trial, exchange, flow.flowId);
    const shown = flow[trial.profile.fields.stateData];
    if (shown !== undefined && !isShownAs(JSON.parse(text), shown))
      throw cellFailure(cell, "the data as it was sent", "other data", exchange);
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
