/** Section 2: the envelope of rejections by the validation of an action's fields. */
import { change } from "../../../fixtures/bodies.ts";
import { withBody, type ActionBody } from "../../../fixtures/request.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { waitingFlow } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";
import { rejected, rejectionCase, type Rejection } from "./envelope.ts";
import { rightTask } from "../../harness/tasks.ts";

/** None of the 13; some are names that every object has in one language or another. */
const noActions: readonly unknown[] = [
  "no_such_action",
  "create-flow",
  "CREATE_FLOW",
  "",
  "__proto__",
  "constructor",
  "toString",
  "__class__",
  null,
  7,
  ["create_flow"],
  {},
];

/** Values of another type than a text. */
const noTexts: readonly unknown[] = [7, null, true, ["text"], { text: "text" }];

/** A body with each of them in place of a field. */
const spoiled = (body: ActionBody, field: string) => noTexts.map((value) => ({ ...body, [field]: value }));

const sendAll = async (trial: Trial, bodies: readonly object[]): Promise<Exchange[]> => {
  const answers: Exchange[] = [];
  for (const body of bodies) {
    const right = trial.right(trial.cheapBody);
    answers.push(await trial.send(withBody(right, JSON.stringify(body))));
  }
  return rejected(answers);
};

const odd: readonly Rejection[] = [
  {
    id: "NO-ACTION",
    what: "an action that there is not",
    more: { requests: 16 },
    provoke: (trial) => sendAll(trial, [{}, ...noActions.map((action) => ({ action }))]),
  },
  {
    id: "WRONG-TYPE",
    what: "a field of another type",
    more: { requests: 40 },
    async provoke(trial) {
      const flow = await waitingFlow(trial);
      return sendAll(trial, [
        { action: "create_flow" },
        ...spoiled({ action: "create_flow", goal: "a goal" }, "goal"),
        ...spoiled(change("finish_flow", flow), "flowId"),
        ...spoiled(change("finish_flow", flow), "expectedRevision").filter(
          ({ expectedRevision }) => expectedRevision !== 7,
        ),
        ...spoiled(await rightTask(trial, flow.flowId), "task"),
        ...spoiled(await rightTask(trial, flow.flowId), "runtime"),
      ]);
    },
  },
];

export const envelopeOfOddRequests: readonly Case[] = odd.map(rejectionCase);
