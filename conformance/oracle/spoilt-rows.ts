/** Cases about one right request of an action that is spoilt in many ways, one at a time: what each is answered with, and that nothing is done. */
import { runTask, smallest, usualFields, type FlowAt } from "../interface/bodies.ts";
import type { ActionName } from "../interface/fields.ts";
import type { GapId } from "../interface/gaps.ts";
import { bodyWith, type NearValue } from "../interface/near-values.ts";
import { withBody, type ActionBody } from "../interface/request.ts";
import { isAccepted, type Exchange } from "../http/exchange.ts";
import type { Case } from "../harness/case.ts";
import { Failure, NotApplicable } from "../harness/case-errors.ts";
import { flowsOf, mustRefuse, mustTakeTwin, type Refusal } from "../harness/checks.ts";
import { mustBeUnchanged, mustUnderstand, readBack, sendChange, shownIn } from "../harness/flows.ts";
import { codeOf } from "../harness/open-values.ts";
import { mustAddNone, rightTask, taskCount } from "../harness/tasks.ts";
import type { Trial } from "../harness/trial.ts";
import { rowCase } from "./row-case.ts";
import type { Factors, Table } from "./rows.ts";

/** Section 7: how a malformed request is refused. */
export const invalid = { status: 400, code: "invalid_request" } as const;

/** The request is open to the target, but its action may not be carried out. */
export const notActed = "no action carried out";
/** The request may even be carried out, as long as the flow stays as it is. */
export const notChanged = "the flow as it was before";

/** Gaps of which the profile gives the code of the refusal. */
export type CodeGap = Extract<GapId, `validation.${string}`>;

export interface Spoilt {
  /** What is spoilt, mostly a field, and in which way; the same in every run. */
  readonly factor: string;
  readonly value: string;
  /** The body, or its text, or what makes it when it is sent. */
  readonly body: Readonly<Record<string, unknown>> | string | (() => string);
  /** What has to become of the request. */
  readonly as:
    | (Refusal & { readonly gap?: CodeGap })
    | typeof notActed
    | typeof notChanged
    | ((exchange: Exchange, trial: Trial) => unknown);
}

export type SpoiltRequest = ReturnType<typeof sampleOf>;

interface SpoiltRows<Given> extends Omit<Case, "run" | "factors" | "withRow"> {
  readonly action: ActionName;
  /** What the requests need beside the flow, asked of the target. Not applicable where it does not have it. */
  readonly given?: (trial: Trial, subject: SpoiltRequest) => Promise<Given>;
  /** The requests; without what is `given` for the table, which is the same for every target. */
  readonly spoilt: (subject: SpoiltRequest & Partial<Given>) => readonly Spoilt[];
}

export const valuesIn = (
  right: ActionBody,
  field: string,
  values: readonly NearValue[],
  as: Spoilt["as"],
  factor = field,
): Spoilt[] => values.map(({ what, json }) => ({ factor, value: what, body: bodyWith(right, field, json), as }));

/** The value of every factor of a row but one. */
export const RIGHT = "right";

/** A flow for the table alone, with an id whose letters have cases. */
const [flow, stale] = [7, 6].map((revision) => ({ flowId: "Flow-of-no-target-0123456789", revision })) as [
  FlowAt,
  FlowAt,
];

const sampleOf = (action: ActionName) => ({
  /** A waiting flow without tasks. */
  flow,
  /** The same before its last change. */
  stale,
  /** The smallest right request of the action. */
  right: action === "run_task" ? runTask(flow.flowId) : smallest(action, flow),
  smallest: (name: ActionName) => smallest(name, flow),
  fields: usualFields,
});

/** One row for each way: in it all other factors are right. */
function tableOf(all: readonly Spoilt[]): Table {
  const names = [...new Set(all.map(({ factor }) => factor))];
  const valuesOf = (name: string) => all.filter(({ factor }) => factor === name).map(({ value }) => value);
  const right = Object.fromEntries(names.map((name) => [name, RIGHT]));
  return {
    factors: Object.fromEntries(names.map((name) => [name, [RIGHT, ...valuesOf(name)]])),
    listed: all.map(({ factor, value }) => ({ ...right, [factor]: value })),
    allows(row) {
      const values = names.flatMap((name) => row[name] ?? []);
      const wrong = values.filter((value) => value !== RIGHT).length;
      return wrong === 1 || (wrong === 0 && values.length < names.length);
    },
  };
}

export function spoiltRows<Given extends object>({ action, given, spoilt, ...about }: SpoiltRows<Given>): Case {
  const spoiltOf = (subject: SpoiltRequest, more?: Given) =>
    spoilt({ ...subject, ...more } as SpoiltRequest & Partial<Given>);

  /** A flow that rows are about, as it was before them. */
  async function prepare(trial: Trial) {
    const { fields } = trial.profile;
    const stale = await trial.flow();
    const flow = await sendChange(trial, "set_waiting", stale);
    const before = await readBack(trial, flow.flowId);
    const any = (name: ActionName) => smallest(name, flow, fields);
    const right = action === "run_task" ? await rightTask(trial, flow.flowId) : any(action);
    const subject = { flow, stale, right, smallest: any, fields };
    const requests = spoiltOf(subject, await given?.(trial, subject));
    const tasks = isAbout(requests, "run_task") ? await taskCount(trial, flow.flowId) : undefined;
    return { flow, right, requests, before, tasks };
  }

  return rowCase<Factors, { prepared: Awaited<ReturnType<typeof prepare>> | undefined }>({
    ...about,
    table: tableOf(spoiltOf(sampleOf(action))),
    client: "few",
    begin: async (trial) => ({ prepared: await prepare(trial) }),

    async valuesOf(trial, { prepared }) {
      const isJudged = ({ as }: Spoilt) => typeof as !== "object" || as.gap === undefined || trial.judges(as.gap);
      return tableOf((prepared?.requests ?? []).filter(isJudged)).factors;
    },

    async play(trial, row, run) {
      const { flow, requests } = (run.prepared ??= await prepare(trial));
      const one = requests.find(({ factor, value }) => row[factor] === value);
      if (one === undefined) throw new NotApplicable("the target supports no such value");
      const exchange = await trial.send(withBody(trial.right(), textOf(one.body)));
      await mustBe(trial, one.as, exchange, flow).catch((error: unknown) => {
        // What was carried out may have changed the flow: the next row is about another one.
        if (isAccepted(exchange)) run.prepared = undefined;
        throw error;
      });
    },

    /** Nothing was done by all that was refused, and the right request is taken. */
    async end(trial, { prepared }) {
      if (prepared === undefined) return;
      const { flow, right, requests, before, tasks } = prepared;
      // Shows a flow that was made although its creation was refused.
      if (isAbout(requests, "create_flow")) await trial.post({ action: "list_flows" });
      await mustBeUnchanged(trial, before);
      if (tasks !== undefined) await mustAddNone(trial, flow.flowId, tasks);
      const taken = await trial.post(right);
      if (action === "cancel_flow" || action === "get_flow") mustUnderstand(taken, action);
      else mustTakeTwin(taken);
    },
  });
}

const isAbout = (spoilt: readonly Spoilt[], action: ActionName): boolean =>
  spoilt.some(({ body }) => textOf(body).includes(action));

const textOf = (body: Spoilt["body"]): string =>
  typeof body === "function" ? body() : typeof body === "string" ? body : JSON.stringify(body);

async function mustBe(trial: Trial, as: Spoilt["as"], exchange: Exchange, flow: FlowAt): Promise<void> {
  if (typeof as === "function") return void (await as(exchange, trial));
  if (typeof as === "object") {
    const { gap, ...refusal } = as;
    return void mustRefuse(exchange, gap === undefined ? refusal : { code: trial.bound(gap, codeOf(exchange)) });
  }
  if (!isAccepted(exchange)) return;
  const own = shownIn(exchange, flow.flowId);
  const isDone = as === notActed ? flowsOf(exchange).length > 0 : (own ?? flow).revision !== flow.revision;
  if (isDone) throw new Failure(as, own === undefined ? "a flow in the result" : "the flow", [exchange]);
}
