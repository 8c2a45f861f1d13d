/** Plays stories of overlapping requests: each response is kept with its times, and some order has to explain them all. */
import type { FlowView } from "../../harness/checks.ts";
import type { StepAnswer } from "../../harness/outcome.ts";
import { flowActions, type FlowAction } from "../../interface/flow-model.ts";
import { requestIn } from "../../story/sentences.ts";
import { flowsNamedIn, type SendStep, type Step } from "../../story/story.ts";
import { shapeFault } from "../answers.ts";
import { departure, type Departure, type Broken } from "../departure.ts";
import { flowHistory, type FlowOperation } from "../flow-states.ts";
import { explained, type Timed } from "../linearizable.ts";
import { answerOf, printOf, type Response, type Sent } from "../response.ts";
import { addFlow, type KnownFlow } from "../world.ts";
import { StepPlayer, type Answered, type PlayerKind } from "./step-player.ts";

/** The most workers: each has client addresses of its own, and changes to the next one well within a budget. */
const WORKERS = 64;

/** Noted in `visits` for each flow whose responses allow too many orders. */
export const TOO_MANY_ORDERS = "orders beyond number";

interface RacedFlow {
  readonly known: KnownFlow;
  /** get_flow has shown it. */
  wasRead: boolean;
  readonly history: Timed<FlowOperation>[];
  /** Its responses allow too many orders: it is no longer judged. */
  isLeft: boolean;
}

export const racePlayer: PlayerKind = {
  start: (playing) => new RacePlayer(playing),
  repeats: "by chance",
};

class RacePlayer extends StepPlayer {
  readonly #flows = new Map<string, RacedFlow>();
  #last: Response | undefined;

  async play(step: Step): Promise<Broken | undefined> {
    // A step of other properties' stories.
    if (step.do !== "send" && step.do !== "together") return this.skip();
    const { sends, width = sends.length } = step.do === "send" ? { sends: [step] } : step;
    const judged = await this.#sendAll(sends, width);
    if (judged.answered.length === 0) return this.skip();
    this.note(step, step.do === "send" ? judged.answered.map(toldOf) : overlapping(judged.answered));
    const unexplained = judged.wrong === undefined ? this.#unexplained() : undefined;
    const wrong = judged.wrong ?? unexplained?.departure;
    if (wrong === undefined) return undefined;
    const { story, answers, ...broken } = this.broken(wrong, this.#last?.exchange);
    // Flows are independent: where one flow is unexplained, the story keeps only the steps about that flow.
    const isAbout = story.map((one) => unexplained === undefined || namesIn(one).includes(unexplained.name));
    return { story: story.filter((_, at) => isAbout[at]), answers: answers.filter((_, at) => isAbout[at]), ...broken };
  }

  /** Sends them in their order, `width` at the same time. */
  async #sendAll(sends: readonly SendStep[], width: number): Promise<{ answered: Answered[]; wrong?: Departure }> {
    const answered: Answered[] = [];
    let wrong: Departure | undefined;
    let next = 0;
    const worker = async (index: number) => {
      while (next < sends.length && wrong === undefined) {
        const send = sends[next++];
        const one = send && (await this.exchange(send, index, WORKERS));
        if (one === undefined) continue;
        answered.push(one);
        wrong ??= this.#take(one);
      }
    };
    await Promise.all(Array.from({ length: width }, (_, index) => worker(index)));
    return { answered, ...(wrong && { wrong }) };
  }

  /** Adds a response to the histories of the flows that it is about. */
  #take({ sent, response, start, end }: Answered): Departure | undefined {
    this.#last = response;
    const wrong = shapeFault(sent, response);
    if (wrong !== undefined) return wrong;
    if (sent.body["action"] === "create_flow") return this.#created(sent, response);
    for (const flow of this.#flows.values()) {
      const { known } = flow;
      const view = response.views.find(({ flowId }) => flowId === known.flowId);
      const isAbout = Object.values(sent.body).includes(known.flowId);
      const { action, expectedRevision } = sent.body;
      const isChange = (flowActions as readonly unknown[]).includes(action);
      if (isChange ? !isAbout : view === undefined && !isAbout) continue;
      if (action === "get_flow" && isGone(flow, view, response))
        return departure("ACTION-GET-FLOW", "the flow that was asked for", "no flow");
      if (view !== undefined) known.revisions.add(view.revision);
      // What the next request names.
      known.states = [{ ...known.states[0], revision: Math.max(...known.revisions) }];
      const operation: FlowOperation = {
        ...answerOf(response, known.flowId),
        action: isChange ? (action as FlowAction) : "read",
        ...(typeof expectedRevision === "number" && { sent: expectedRevision }),
      };
      flow.history.push({ operation, start, end });
    }
    return undefined;
  }

  #created(sent: Sent, response: Response): Departure | undefined {
    const [view] = response.views;
    if (!response.accepted || view === undefined)
      return departure("STATE-CREATE", "create_flow accepted", printOf(response));
    const known = addFlow(this.world, view, sent);
    this.#flows.set(known.name, { known, wasRead: false, isLeft: false, history: [] });
    return undefined;
  }

  /** A flow whose responses no order explains, or of whose revisions one has two winners. */
  #unexplained(): { name: string; departure: Departure } | undefined {
    const { gaps } = this.world;
    for (const [name, flow] of this.#flows) {
      const { known, history } = flow;
      if (flow.isLeft) continue;
      const accepted = history.filter(({ operation }) => operation.accepted);
      const taken = new Set<string>(accepted.map(({ operation }) => operation.action));
      const explanation = explained(history, flowHistory(gaps, Math.min(...known.revisions), taken));
      flow.isLeft = explanation === "too many orders";
      if (flow.isLeft) this.world.visits.note(TOO_MANY_ORDERS);
      if (explanation !== "by none") continue;
      const winners = history.flatMap(({ operation: { accepted, sent } }) =>
        accepted && sent !== undefined ? [sent] : [],
      );
      const wrong =
        winners.length > new Set(winners).size
          ? departure("REVISION-STALE", "one change applied to each revision", "two applied to one")
          : departure("REVISION-ADVANCES", "answers that some order of the requests explains", "none does");
      return { name, departure: wrong };
    }
    return undefined;
  }
}

/** Nothing in the interface removes a flow that get_flow has shown. */
function isGone(flow: RacedFlow, view: FlowView | undefined, { accepted, code }: Response): boolean {
  flow.wasRead ||= view !== undefined;
  return flow.wasRead && view === undefined && (accepted || code === "not_found");
}

const namesIn = (step: Step): string[] =>
  step.do === "send" && step.as !== undefined ? [step.as] : flowsNamedIn(step);

function toldOf({ response }: Answered): StepAnswer {
  const [view] = response.views;
  return { answer: printOf(response), ...(view === undefined ? {} : { revision: view.revision }) };
}

/** In the order of their starts. */
function overlapping(answered: readonly Answered[]): StepAnswer[] {
  const first = Math.min(...answered.map(({ start }) => start));
  const last = Math.max(...answered.map(({ end }) => end));
  const part = (at: number) => Math.round((100 * (at - first)) / Math.max(last - first, Number.MIN_VALUE)) / 100;
  return answered
    .toSorted((a, b) => a.start - b.start)
    .map((one) => {
      const { action } = one.sent.body;
      const named = typeof action === "string" ? { action } : {};
      return {
        ...toldOf(one),
        sent: { what: nameIn(one.sent), ...named, from: part(one.start), to: part(one.end) },
      };
    });
}

/** Without the flow's id, which changes from run to run. */
function nameIn({ step, body: { action, expectedRevision } }: Sent): string {
  const kept = { action, ...(expectedRevision !== undefined && { expectedRevision }) } as NonNullable<SendStep["body"]>;
  return requestIn({ ...step, body: kept });
}
