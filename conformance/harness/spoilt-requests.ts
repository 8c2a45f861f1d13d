/** Cases about one right request of an action that is spoilt in many ways: what each has to be answered with, and that nothing is done. */
import { smallest } from "../interface/bodies.ts";
import type { ActionName } from "../interface/fields.ts";
import type { GapId } from "../interface/gaps.ts";
import { bodyWith, type NearValue } from "../interface/near-values.ts";
import type { ActionBody } from "../interface/request.ts";
import { isAccepted, type Exchange } from "../http/exchange.ts";
import type { Case } from "./case.ts";
import { failureOf } from "./case-errors.ts";
import { cellFailure, eachCell, mustRefuseCell, type Cell } from "./cells.ts";
import { flowsOf, mustTakeTwin, type FlowView, type Refusal } from "./checks.ts";
import { codeOf } from "./open-values.ts";
import { sendChange, mustBeUnchanged, readBack, shownIn, mustUnderstand } from "./flows.ts";
import { mustAddNone, rightTask, taskCount } from "./tasks.ts";
import type { Trial } from "./trial.ts";

/** Section 7: how a malformed request is refused. */
export const invalid = { status: 400, code: "invalid_request" } as const;

/** The request is open to the target, but its action may not be carried out. */
export const notActed = "no action carried out";
/** Whether it is carried out is open, too: only the flow has to stay as it is. */
export const notChanged = "the flow as it was before";

/** Gaps of which the profile gives the code of the refusal. */
export type CodeGap = Extract<GapId, `validation.${string}`>;

/** A spoilt request, and what has to become of it. */
export interface Spoilt extends Cell {
  readonly as: (Refusal & { readonly gap?: CodeGap }) | typeof notActed | typeof notChanged;
}

/** What the requests are about. */
export interface Subject {
  readonly trial: Trial;
  /** A waiting flow without tasks. */
  readonly flow: FlowView;
  /** The same before its last change. */
  readonly stale: FlowView;
  /** The smallest right request of the action. */
  readonly right: ActionBody;
  /** The same of any action. */
  smallest(action: ActionName): ActionBody;
}

interface SpoiltRequests extends Omit<Case, "run"> {
  readonly action: ActionName;
  cells(subject: Subject): readonly Spoilt[] | Promise<readonly Spoilt[]>;
}

/** Each value in the place of one field. */
export const valuesIn = (
  right: ActionBody,
  field: string,
  values: readonly NearValue[],
  as: Spoilt["as"],
  column = field,
): Spoilt[] => values.map(({ what, json }) => ({ row: what, column, body: bodyWith(right, field, json), as }));

export function spoiltRequests({ action, cells, ...about }: SpoiltRequests): Case {
  return {
    ...about,
    async run(trial) {
      const stale = await trial.flow();
      const flow = await sendChange(trial, "set_waiting", stale);
      const before = await readBack(trial, flow.flowId);
      const tasks = await taskCount(trial, flow.flowId);
      const any = (name: ActionName) => smallest(name, flow, trial.profile.fields);
      const right = action === "run_task" ? await rightTask(trial, flow.flowId) : any(action);
      const spoilt = (await cells({ trial, flow, stale, right, smallest: any })).filter(
        ({ as }) => typeof as !== "object" || as.gap === undefined || trial.judges(as.gap),
      );
      let isUntouched = true;
      await eachCell(trial, spoilt, (cell, exchange) => {
        if (isAccepted(exchange) && typeof cell.as === "object") isUntouched = false;
        judge(trial, cell, exchange, flow);
      });
      // What was accepted wrongly may have changed the flow: the case ends here, and says so.
      const last = isUntouched ? undefined : trial.record.found.pop();
      if (last !== undefined) throw failureOf(last);
      // Shows a flow that was made although its creation was refused.
      await trial.post({ action: "list_flows" });
      await mustBeUnchanged(trial, before);
      await mustAddNone(trial, flow.flowId, tasks);
      const taken = await trial.post(right);
      if (action === "cancel_flow" || action === "get_flow") mustUnderstand(taken, action);
      else mustTakeTwin(taken);
    },
  };
}

function judge(trial: Trial, cell: Spoilt, exchange: Exchange, flow: FlowView): void {
  if (typeof cell.as === "object") {
    const { gap, ...as } = cell.as;
    return mustRefuseCell(cell, exchange, gap === undefined ? as : { code: trial.bound(gap, codeOf(exchange)) });
  }
  if (!isAccepted(exchange)) return;
  const own = shownIn(exchange, flow.flowId);
  const isDone = cell.as === notActed ? flowsOf(exchange).length > 0 : (own ?? flow).revision !== flow.revision;
  if (isDone) throw cellFailure(cell, cell.as, own === undefined ? "a flow in the result" : "the flow", exchange);
}
