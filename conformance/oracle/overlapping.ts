/** Judges requests that overlap: for each flow some order of those about it has to explain all their answers. */
import { flowActions, type FlowAction } from "../interface/flow-model.ts";
import { departure, type Departure } from "../harness/finding.ts";
import { flowHistory, type FlowOperation, type States } from "./flow-states.ts";
import { unseenChange } from "./flow-views.ts";
import { foreignView, judgeResponse } from "./judge.ts";
import { endsOf, type Timed } from "./linearizable.ts";
import { isFoundAsBefore } from "./reads.ts";
import { answerOf, shapeFault, type Response, type Sent, type TimeSpan } from "./response.ts";
import { sessionOf, type KnownFlow, type World } from "./world.ts";

/** A request with its response, and when it was sent and answered, ms from any origin. */
export interface Answered {
  readonly sent: Sent;
  readonly response: Response;
  readonly start: number;
  readonly end: number;
}

/** What overlapping requests have done with one flow so far. */
interface Raced {
  readonly before: States;
  readonly history: Timed<FlowOperation>[];
  at: TimeSpan;
}

export class Overlapping {
  readonly #world: World;
  readonly #raced = new Map<KnownFlow, Raced>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes an answer as it comes; what is wrong with it whatever the order was. */
  take(one: Answered): Departure | undefined {
    const { sent, response } = one;
    const world = this.#world;
    if (sent.body["action"] === "create_flow") return judgeResponse(world, sent, response);
    const wrong = shapeFault(sent, response) ?? foreignView(world, sent, response);
    for (const flow of wrong === undefined ? world.flows.values() : []) {
      const isAbout = Object.values(sent.body).includes(flow.flowId);
      // For the caller a flow of another session does not exist, so the order makes no difference.
      if (flow.session !== sessionOf(sent.step.route)) {
        if (isAbout) return judgeResponse(world, sent, response);
        continue;
      }
      const lost = this.#takeOf(flow, isAbout, one);
      if (lost !== undefined) return lost;
    }
    return wrong;
  }

  #takeOf(flow: KnownFlow, isAbout: boolean, { sent, response, start, end }: Answered): Departure | undefined {
    const { action, expectedRevision } = sent.body;
    const isChange = (flowActions as readonly unknown[]).includes(action);
    const operation: FlowOperation = {
      ...answerOf(response, flow.flowId),
      action: isChange ? (action as FlowAction) : "read",
      ...(typeof expectedRevision === "number" && { sent: expectedRevision }),
    };
    const { shows } = operation;
    if (isChange ? !isAbout : shows === undefined && !isAbout) return undefined;
    if (action === "get_flow" && !isFoundAsBefore(this.#world, action, shows !== undefined))
      return departure("ACTION-GET-FLOW", "the flow that was asked for", "no flow");
    const raced = this.#raced.get(flow) ?? { before: flow.states, history: [], at: sent.at };
    this.#raced.set(flow, raced);
    raced.history.push({ operation, start, end });
    raced.at = { from: Math.min(raced.at.from, sent.at.from), to: Math.max(raced.at.to, sent.at.to) };
    if (action === "run_task" && response.accepted) flow.started.push(sent.body);
    if (shows !== undefined) flow.revisions.add(shows);
    // The next request refers to the highest revision that an answer has shown.
    flow.states = [{ ...flow.states[0], revision: Math.max(...flow.revisions), isLater: false }];
    return undefined;
  }

  /** A flow whose answers no order explains; what the others may be now is known again. */
  unexplained(): { readonly flow: KnownFlow; readonly departure: Departure } | undefined {
    const { gaps, flows, met } = this.#world;
    for (const [flow, { before, history, at }] of this.#raced) {
      const accepted = history.filter(({ operation }) => operation.accepted);
      const taken = new Set<string>(accepted.map(({ operation }) => operation.action));
      const ends = endsOf(history, flowHistory(gaps, before, taken));
      const [first, ...others] = ends ?? [];
      if (ends !== undefined && first === undefined) return { flow, departure: faultOf(accepted) };
      if (first === undefined) {
        met.add("orders beyond number");
        flows.delete(flow.name);
        continue;
      }
      flow.states = [first, ...others];
      flow.view = undefined;
      flow.updated = at;
      unseenChange(flow.expected);
    }
    return undefined;
  }
}

/** Two changes of one revision are told as such; `accepted`: what was accepted of one flow. */
function faultOf(accepted: readonly Timed<FlowOperation>[]): Departure {
  const winners = accepted.flatMap(({ operation: { sent } }) => (sent === undefined ? [] : [sent]));
  return winners.length > new Set(winners).size
    ? departure("REVISION-STALE", "one change applied to each revision", "two applied to one")
    : departure("REVISION-ADVANCES", "answers that some order of the requests explains", "none does");
}
