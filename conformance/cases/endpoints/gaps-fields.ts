/** Section 4: each field of each action, spoiled in each way that its kind can be. Made from the table of fields. */
import { change } from "../../interface/bodies.ts";
import { fieldName } from "../../../fixtures/catalogue/maker.ts";
import { actionNames, actions, type ActionName, type Field, type FieldKind } from "../../interface/fields.ts";
import { defectsOf, idOf, wrongRevisions, type FieldDefect } from "../../interface/values.ts";
import type { GapId } from "../../interface/gaps.ts";
import { describe, envelopeOf, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { eachCell } from "../../harness/cells.ts";
import { check, twin } from "../../harness/checks.ts";
import { mustBeUnchanged, readBack, waitingFlow } from "../../harness/flows.ts";
import { startedTask, taskCount, smallestRight } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** A defect, and the value that is sent for it at the flow's revision. */
type Spoilt = FieldDefect & { readonly spoil: (revision: number) => unknown; readonly in: Field };

/** More values of other types, of each kind some in turns: one that looks at a few types lets the others through. */
const moreByKind: Readonly<Partial<Record<FieldKind, Readonly<Record<string, unknown>>>>> = {
  text: { false: false, 0: 0, "an empty list": [], "an empty object": {} },
  id: { false: false, 0: 0, "an empty list": [], "an empty object": {} },
  choice: { true: true, false: false, "an object": { running: true }, "an empty text": "" },
  timestamp: { true: true, "an empty list": [], "an object": {}, "an empty text": "" },
  flag: { "an empty list": [], "an empty text": "", 0: 0, "an object": {} },
};

const MANY_FIELDS = 10;

/** Two of them for each field, or one where the action has many: a minute's requests are for all of them. */
function moreOf(action: ActionName, name: string, field: Field): Spoilt[] {
  const more = Object.entries(moreByKind[field.kind] ?? {});
  const names = Object.keys(actions[action].fields);
  const turn = names.indexOf(name);
  const step = names.length > MANY_FIELDS ? 4 : 2;
  return more
    .filter((_one, index) => (index + turn) % step === 0)
    .map(([what, value]) => ({
      id: "MORE",
      what: `${what} for ${name}`,
      field: name,
      outcome: name === "runtime" ? "invalid" : "wrong-type",
      spoil: () => value,
      in: field,
    }));
}

/** Each way to spoil one field; what no revision is depends on the flow's. */
function spoiltOf(action: ActionName, name: string, field: Field): Spoilt[] {
  const outcome = actions[action].effect === "changes" ? "no-revision" : "wrong-type";
  if (field.kind !== "revision") {
    return defectsOf(action, name, field).map((defect) => ({ ...defect, spoil: () => defect.value, in: field }));
  }
  return wrongRevisions
    .filter(({ malformed }) => malformed)
    .map(({ id, what, value }) => ({ id, what: `${what} for ${name}`, field: name, outcome, spoil: value, in: field }));
}

/** What stands beside a spoiled field, so that it is the only defect. */
const beside = (field: Field): Record<string, unknown> =>
  field.onlyWith === undefined ? {} : { [field.onlyWith[0]]: field.onlyWith[1] };

/** The code that a defect is refused with; undefined where any will do. */
function codeOf(trial: Trial, { outcome }: FieldDefect): string | undefined {
  if (outcome === "missing-field" || outcome === "wrong-type" || outcome === "blank-text") {
    return trial.gap(`validation.${outcome}`);
  }
  return outcome === "invalid" ? "invalid_request" : undefined;
}

const gapsRead: readonly GapId[] = ["validation.missing-field", "validation.wrong-type", "validation.blank-text"];

const withFields = actionNames.filter((action) => Object.keys(actions[action].fields).length > 0);

export const gapFieldCases: readonly Case[] = withFields.map((action) => {
  const fields = Object.entries<Field>(actions[action].fields);
  const defects = fields.flatMap(([name, field]) => [...spoiltOf(action, name, field), ...moreOf(action, name, field)]);
  return {
    id: `GAP-FIELDS-${idOf(action)}`,
    title: `${action} is refused with the profile's code for each of its fields that is missing, blank or of another type`,
    clauses: ["VALIDATION"],
    gaps: gapsRead,
    requests: defects.length + 12,
    reading: "One field is spoiled at a time; nothing is changed by any of these requests.",
    async run(trial) {
      const flow = await waitingFlow(trial);
      await startedTask(trial, flow.flowId);
      const current = (await readBack(trial, flow.flowId)) ?? flow;
      const tasks = await taskCount(trial, flow.flowId);
      const right = await smallestRight(trial, action, current);
      const cells = defects.map((defect) => {
        const sent = fieldName(action, defect.field, trial.profile);
        const body = { ...right, ...beside(defect.in), [sent]: defect.spoil(current.revision) };
        return { row: defect.what.replace(` for ${defect.field}`, ""), column: defect.field, body, defect };
      });
      await eachCell(trial, cells, ({ defect }, exchange) => {
        const code = codeOf(trial, defect);
        const fits = code === undefined || envelopeOf(exchange)?.code === code;
        const expected = `${code ?? "a refusal"} with ${defect.what}`;
        check(!isAccepted(exchange) && fits, expected, describe(exchange), exchange);
      });
      await mustBeUnchanged(trial, current);
      check((await taskCount(trial, flow.flowId)) === tasks, "no task added", "another number of tasks");
      twin(await trial.post(action === "run_task" ? right : change("set_waiting", current)));
      twin(await trial.post(await smallestRight(trial, action, await waitingFlow(trial))));
    },
  };
});
