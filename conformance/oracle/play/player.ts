/** Plays the steps of a story on a target: fills each request in, sends it, and has its response judged. */
import type { Profile } from "../../interface/gaps.ts";
import { departure, type Departure } from "../../harness/finding.ts";
import type { StepAnswer } from "../../harness/outcome.ts";
import type { Exchange } from "../../http/exchange.ts";
import { validRequest, type ActionBody } from "../../interface/request.ts";
import { inForm } from "../request-forms.ts";
import { requestIn } from "../../story/sentences.ts";
import { fillReferences, flowsNamedIn, type SendStep, type Step } from "../../story/story.ts";
import { judgeResponse } from "../judge.ts";
import { Overlapping, type Answered } from "../overlapping.ts";
import { printOf, responseOf, type Response, type Sent } from "../response.ts";
import { taskEnded } from "../seen.ts";
import type { Broken } from "../told.ts";
import { lookUp, newWorld, type World } from "../world.ts";
import type { Executor } from "./executor.ts";

/** Requests from one client address: well within its budget. */
const PER_CLIENT = 100;
/** The most requests at the same time: each has client addresses of its own. */
const MOST_AT_ONCE = 64;

export class Player {
  readonly world: World;
  readonly #executor: Executor;
  readonly #played: Step[] = [];
  /** The responses so far, to each step that was played; none to a step that sends nothing. */
  readonly answers: (readonly StepAnswer[])[] = [];
  #requests = 0;
  /** Steps left out because what they refer to is not there. */
  skipped = 0;
  /** The target's clock after the last step, ms. */
  #clock = 0;

  constructor(world: World, executor: Executor) {
    this.world = world;
    this.#executor = executor;
  }

  /** Plays one step; returns the story so far when that shows a departure. A step that refers to what is not there is left out. */
  async play(step: Step): Promise<Broken | undefined> {
    this.#noteTime();
    if (step.do === "send") return this.#send(step);
    if (step.do === "together") return this.#sendTogether(step);
    if (!(await this.#isDone(step))) {
      this.skipped += 1;
      return undefined;
    }
    this.#note(step);
    this.#clock = this.#executor.now();
    return undefined;
  }

  /** Does what is no request; false where the target, or what the step names, is not up to it. */
  async #isDone(step: Exclude<Step, { do: "send" | "together" }>): Promise<boolean> {
    const { world } = this;
    const executor = this.#executor;
    if (step.do === "pass") await executor.pass(step.ms);
    if (step.do === "persist") {
      if (executor.persist === undefined) return false;
      await executor.persist(step.fail);
      world.failing = step.fail;
    }
    if (step.do === "settle") {
      const flow = world.flows.get(step.flow);
      const taskId = flow?.taskIds[step.task];
      if (flow === undefined || taskId === undefined || executor.settle === undefined) return false;
      const from = executor.now();
      await executor.settle(flow.flowId, taskId, step.status);
      flow.taskIds[step.task] = undefined;
      taskEnded(world, flow, { from, to: executor.now() });
    }
    return true;
  }

  /** Concurrent stories share a driven clock: time that another one lets pass has passed for this one too. */
  #noteTime(): void {
    const { driven } = this.#executor;
    const now = this.#executor.now();
    if (driven && now > this.#clock && this.#played.length > 0) this.#note({ do: "pass", ms: now - this.#clock });
    this.#clock = now;
  }

  async #send(step: SendStep): Promise<Broken | undefined> {
    const one = await this.#exchange(step);
    if (one === undefined) return undefined;
    this.#note(step, [toldOf(one)]);
    const wrong = this.#leak(one.response) ?? judgeResponse(this.world, one.sent, one.response);
    return wrong && this.broken(wrong, one.response.exchange);
  }

  /** Sends them in their order, `width` at the same time. */
  async #sendTogether(step: Extract<Step, { do: "together" }>): Promise<Broken | undefined> {
    const { sends, width = sends.length } = step;
    const overlapping = new Overlapping(this.world);
    const answered: Answered[] = [];
    let wrong: Departure | undefined;
    const left = [...sends];
    const worker = async (client: number) => {
      for (let send = left.shift(); send !== undefined && wrong === undefined; send = left.shift()) {
        const one = await this.#exchange(send, client);
        if (one === undefined) continue;
        answered.push(one);
        wrong ??= this.#leak(one.response) ?? overlapping.take(one);
      }
    };
    await Promise.all(Array.from({ length: width }, (_, client) => worker(client)));
    if (answered.length === 0) return undefined;
    this.#note(step, overlappingOf(answered));
    const last = answered.at(-1)?.response.exchange;
    if (wrong !== undefined) return this.broken(wrong, last);
    const unexplained = overlapping.unexplained();
    if (unexplained === undefined) return undefined;
    const { story, answers, ...broken } = this.broken(unexplained.departure, last);
    // Flows are independent: of one that is unexplained the story keeps only the steps about it.
    const isAbout = story.map((one) => namesIn(one).includes(unexplained.flow.name));
    return { story: story.filter((_, at) => isAbout[at]), answers: answers.filter((_, at) => isAbout[at]), ...broken };
  }

  /** Sends a request, from the client's first address or from its next; undefined where what it refers to is not there. */
  async #exchange(step: SendStep, client = 0): Promise<Answered | undefined> {
    const { world } = this;
    const executor = this.#executor;
    const body = fillReferences(step.body ?? {}, (reference) => lookUp(world, reference)) as ActionBody;
    if (Object.values(body).includes(undefined)) {
      this.skipped += 1;
      return undefined;
    }
    const route = executor.routes[step.route];
    const from = executor.now();
    const turn = Math.floor(this.#requests++ / PER_CLIENT);
    const start = performance.now();
    const request = inForm(validRequest(route, body), step.form, route.secret, executor.product);
    const exchange = await executor.send(request, client + MOST_AT_ONCE * turn);
    const end = performance.now();
    const sent = { step, route, body, at: { from, to: executor.now() } };
    return { sent, response: responseOf(exchange), start, end };
  }

  #leak({ exchange: { answer } }: Response): Departure | undefined {
    const leak = answer && this.#executor.leakIn?.(answer);
    const expected = "an answer without session keys, owner metadata or secrets";
    return leak === undefined ? undefined : departure("NO-METADATA", expected, leak);
  }

  /** The story so far, as one that shows this departure. */
  broken(wrong: Departure, exchange: Exchange | undefined): Broken {
    return { story: [...this.#played], answers: [...this.answers], departure: wrong, exchange };
  }

  #note(step: Step, answers: readonly StepAnswer[] = []): void {
    this.#played.push(step);
    this.answers.push(answers);
  }

  /** Undoes injected faults, and returns the executor. */
  async close(): Promise<void> {
    try {
      if (this.world.failing.length > 0) await this.#executor.persist?.([]);
    } finally {
      this.#executor.close?.();
    }
  }
}

const namesIn = (step: Step): string[] =>
  step.do === "send" && step.as !== undefined ? [step.as] : flowsNamedIn(step);

/** A list shows the revisions of many flows: none is the answer's. */
function toldOf({ response, sent }: Answered): StepAnswer {
  const [view] = sent.body.action === "list_flows" ? [] : response.views;
  return { answer: printOf(response), ...(view === undefined ? {} : { revision: view.revision }) };
}

function overlappingOf(answered: readonly Answered[]): StepAnswer[] {
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

export interface Stage {
  readonly profile: Profile;
  readonly executor: () => Promise<Executor>;
}

/** Starts a player on a part of the target that no other player uses. `owners`: the flows of earlier stories. */
export async function startPlayer(
  { profile, executor: newExecutor }: Stage,
  owners = new Map<string, string>(),
): Promise<Player> {
  const executor = await newExecutor();
  const { route, stranger } = executor.routes;
  const sessions = { home: route.sessionKey, foreign: stranger.sessionKey };
  return new Player(newWorld({ profile, owners, sessions }), executor);
}

/** Plays steps in order, up to the first that shows a departure. */
export async function playSteps(steps: Iterable<Step>, player: Player): Promise<Broken | undefined> {
  for (const step of steps) {
    const broken = await player.play(step);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
