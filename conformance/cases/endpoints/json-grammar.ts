/** Section 4: what is JSON by RFC 8259 is read, what is not is refused, as the whole body and in the data that a flow stores. */
import { change } from "../../interface/bodies.ts";
import { brokenObjects, brokenValues, otherValues } from "../../interface/json-forms.ts";
import { withBody } from "../../interface/request.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { cellFailure, eachCell, mustRefuseCell, type Cell } from "../../harness/cells.ts";
import { isShownAs, twin, type FlowView } from "../../harness/checks.ts";
import { flowAfter, mustBeUnchanged, readBack, waitingFlow } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

const invalid = { status: 400, code: "invalid_request" } as const;
const data = '{"list":[true,1],"text":"b"}';

/** A set_waiting as text, with this text in the place of its data. */
function changeWith(trial: Trial, flow: FlowView, value: string): string {
  const mark = "the data";
  const { stateData } = trial.profile.fields;
  return JSON.stringify(change("set_waiting", flow, { [stateData]: mark })).replace(JSON.stringify(mark), () => value);
}

function brokenCells(trial: Trial, flow: FlowView, takesData: boolean): Cell[] {
  const whole = JSON.stringify(change("set_waiting", flow));
  const cells = Object.entries(brokenObjects).flatMap(([row, spell]): Cell[] => [
    { row, column: "the body", body: spell(whole) },
    { row, column: "data", body: changeWith(trial, flow, spell(data)) },
  ]);
  const values = Object.entries(brokenValues).map(([row, value]): Cell => {
    return { row, column: "data", body: changeWith(trial, flow, `{"value":${value}}`) };
  });
  return [...cells, ...values].filter(({ column }) => takesData || column === "the body");
}

const grammarCase: Case = {
  id: "BODY-JSON-GRAMMAR",
  title: "What is no JSON is refused and stores nothing; JSON in any spelling is read as what it says",
  clauses: ["BODY-OBJECT", "ERROR-INVALID"],
  requests: 80,
  reading:
    "Section 4: the body is JSON, and RFC 8259 says what that is. A reader that takes more lets through what other " +
    "systems read otherwise or not at all. Data is judged where the target takes objects as the data of set_waiting.",
  async run(trial) {
    let flow = await waitingFlow(trial);
    const send = (text: string) => trial.send(withBody(trial.right(), text));
    const taken = await send(changeWith(trial, flow, data));
    const takesData = isAccepted(taken);
    if (takesData) flow = await flowAfter(trial, taken, flow.flowId);
    const before = await readBack(trial, flow.flowId);
    await eachCell(trial, brokenCells(trial, flow, takesData), (cell, exchange) =>
      mustRefuseCell(cell, exchange, invalid),
    );
    await mustBeUnchanged(trial, before);
    for (const [row, value] of takesData ? Object.entries(otherValues) : []) {
      const text = `{"value":${value}}`;
      const exchange = await send(changeWith(trial, flow, text));
      const cell: Cell = { row, column: "data", body: text };
      if (!isAccepted(exchange)) throw cellFailure(cell, "2xx with ok: true", describe(exchange), exchange);
      flow = await flowAfter(trial, exchange, flow.flowId);
      const shown = flow[trial.profile.fields.stateData];
      if (shown !== undefined && !isShownAs(JSON.parse(text), shown))
        throw cellFailure(cell, "the data as it was sent", "other data", exchange);
    }
    twin(await trial.post(change("set_waiting", flow)));
  },
};

export const jsonCases: readonly Case[] = [grammarCase];
