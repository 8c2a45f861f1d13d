/** Section 7: a refusal is right the first time, the third and the tenth, whatever was accepted in between. */
import { change, createFlow, runTask } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { withBody, type ActionBody, type Request } from "../../interface/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { describe, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { Failure } from "../../harness/case-errors.ts";
import { mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import {
  absentId,
  changeActions,
  changed,
  mustBeUnchanged,
  readBack,
  waitingFlow,
  type ChangeAction,
} from "../../harness/flows.ts";
import { mustAddNone, taskCount, taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

type As = { readonly status?: number; readonly code?: string };

interface Rule {
  readonly what: string;
  readonly request: Request;
  readonly as: As;
}

const invalid = { status: 400, code: "invalid_request" } as const;
const conflict = { status: 409, code: "revision_conflict" } as const;

const TIMES = 10;
/** After these, right requests come in between: the third and the tenth time are told apart from a row of three. */
const TWIN_AFTER = 3;

/** Sends the request ten times in all, a right one in between. Returns the refusals. */
async function refusedEachTime(
  trial: Trial,
  { what, request, as }: Rule,
  between: () => Promise<Exchange>,
): Promise<void> {
  const counts: Record<string, number> = {};
  trial.visits = { ...trial.visits, [what]: counts };
  for (let time = 1; time <= TIMES; time += 1) counts[`time ${String(time).padStart(2, "0")}`] = 0;
  for (let time = 1; time <= TIMES; time += 1) {
    const exchange = await trial.send(request);
    counts[`time ${String(time).padStart(2, "0")}`] = 1;
    try {
      mustRefuse(exchange, as);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(error.expected, `${describe(exchange)} (${what}, time ${time})`, [exchange]);
    }
    if (time === TWIN_AFTER) twin(await between());
  }
}

const right = (trial: Trial) => () => trial.post(trial.cheapBody);

const reading =
  "No rule has an exception for a request that was refused before. Each is sent ten times in a row, with a right " +
  "request after the third.";

interface Table {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly requests: number;
  run(trial: Trial): Promise<void>;
}

/** The revision that a flow had, and one that it never had. */
async function staleRules(trial: Trial, actions: readonly ChangeAction[]): Promise<void> {
  const stale = await trial.flow();
  let flow = await changed(trial, "set_waiting", stale);
  for (const action of actions) {
    const at = (revision: FlowView) => trial.right(change(action, revision));
    const rule = { what: `${action} with a stale revision`, request: at(stale), as: conflict };
    const before = await readBack(trial, flow.flowId);
    await refusedEachTime(trial, rule, right(trial));
    await mustBeUnchanged(trial, before);
    // The twin changes the flow: what was stale stays so.
    flow = await changed(trial, "set_waiting", flow);
  }
}

const endings = ["finish_flow", "fail_flow"] as const;

const tables: readonly Table[] = [
  {
    id: "REFUSED-AGAIN-STALE",
    title: "A stale revision gets 409 revision_conflict each of ten times",
    clauses: ["REVISION-STALE", "REVISION-UNCHANGED"],
    requests: 80,
    run: (trial) => staleRules(trial, changeActions),
  },
  {
    id: "REFUSED-AGAIN-STATES",
    title: "A change that the flow's state or id forbids is refused each of ten times",
    clauses: ["REVISION-STALE", "STATE-RESUME-ONLY", "ERROR-NOT-FOUND"],
    requests: 90,
    async run(trial) {
      const queued = await trial.flow({ status: "queued" });
      const before = await readBack(trial, queued.flowId);
      const rules: Rule[] = [
        { what: "resume_flow of a queued flow", request: trial.right(change("resume_flow", queued)), as: {} },
        ...(["finish_flow", "set_waiting"] as const).map((action) => ({
          what: `${action} of an absent flow`,
          request: trial.right(change(action, { ...queued, flowId: absentId(queued.flowId) })),
          as: { code: "not_found" },
        })),
      ];
      for (const rule of rules) await refusedEachTime(trial, rule, right(trial));
      await mustBeUnchanged(trial, before);
      for (const ending of endings) {
        const stale = await waitingFlow(trial);
        const ended = await changed(trial, ending, stale);
        const rule = {
          what: `${ending} again after it`,
          request: trial.right(change(ending, stale)),
          as: conflict,
        };
        const shown = await readBack(trial, ended.flowId);
        await refusedEachTime(trial, rule, right(trial));
        await mustBeUnchanged(trial, shown);
      }
      twin(await trial.post(change("set_waiting", queued)));
    },
  },
  {
    id: "REFUSED-AGAIN-FIELDS",
    title: "A malformed change or run_task gets 400 invalid_request each of ten times",
    clauses: ["REVISION-REQUIRED", "RUN-TASK-RUNTIME", "RUN-TASK-RUNNING-FIELDS", "ERROR-INVALID"],
    requests: 100,
    async run(trial) {
      const current = await waitingFlow(trial);
      const before = await readBack(trial, current.flowId);
      // A task may change its flow.
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      const tasks = await taskCount(trial, flowId);
      const task = (more: Record<string, unknown>) => runTask(flowId, { ...form, ...more });
      const bodies: Readonly<Record<string, ActionBody>> = {
        "finish_flow without expectedRevision": change("finish_flow", current, { expectedRevision: undefined }),
        "fail_flow without flowId": change("fail_flow", current, { flowId: undefined }),
        "set_waiting with a text as revision": change("set_waiting", current, {
          expectedRevision: String(current.revision),
        }),
        "request_cancel with null as revision": change("request_cancel", current, { expectedRevision: null }),
        "run_task with another runtime": task({ runtime: "shell" }),
        "run_task with a runtime in capitals": task({ runtime: "ACP" }),
        "run_task with progress and no status": task({ progressSummary: "half of it" }),
        "run_task without flowId": task({ flowId: undefined }),
      };
      for (const [what, body] of Object.entries(bodies))
        await refusedEachTime(trial, { what, request: trial.right(body), as: invalid }, right(trial));
      await mustBeUnchanged(trial, before);
      await mustAddNone(trial, flowId, tasks);
      twin(await trial.post(change("set_waiting", current)));
    },
  },
  {
    id: "REFUSED-AGAIN-REQUESTS",
    title: "A request that the checks before the action refuse is refused each of ten times",
    clauses: ["METHOD-POST", "CONTENT-TYPE", "AUTH-REQUIRED", "BODY-OBJECT", "ERROR-INVALID"],
    requests: 90,
    async run(trial) {
      const body = createFlow("refused");
      const request = trial.right(body);
      const rules: Rule[] = [
        { what: "another method", request: spoilt(request, "METHOD"), as: {} },
        { what: "another content type", request: spoilt(request, "CONTENT-TYPE"), as: {} },
        { what: "a wrong secret", request: spoilt(request, "AUTH"), as: { status: 401 } },
        { what: "malformed JSON", request: spoilt(request, "BAD-JSON"), as: invalid },
        { what: "a list instead of an object", request: withBody(request, JSON.stringify([body])), as: invalid },
        { what: "no body", request: withBody(request, ""), as: invalid },
        {
          what: "an action that is no text",
          request: withBody(request, '{"action":["create_flow"],"goal":"x"}'),
          as: {},
        },
      ];
      for (const rule of rules) await refusedEachTime(trial, rule, right(trial));
    },
  },
];

export const refusedAgainCases: readonly Case[] = tables.map((table) => ({ ...table, reading }));
