/** Plays stories about flows: fills each request in, sends it, and has its response judged. */
import { validRequest, type Request } from "../../interface/request.ts";
import type { StepAnswer } from "../../harness/outcome.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { fillIn, type SendStep, type Step } from "../../story/story.ts";
import { departure, type Departure } from "../departure.ts";
import { judge } from "../judge.ts";
import { responseOf, printOf, type Response, type Sent } from "../response.ts";
import { taskEnded } from "../seen.ts";
import { lookUp, type World } from "../world.ts";
import type { Executor, HeldRequest } from "./executor.ts";
import { requestOf } from "./request-of.ts";
import type { Broken } from "../broken.ts";
import { WIDTH, type PlayerKind, type Playing, type StepPlayer } from "./step-player.ts";

/** A property's own judgement of every response; `judged`: the judge of flows need not look at it. */
export type Watch = (sent: Sent, response: Response) => Departure | "judged" | undefined;

/** Concurrent requests while one is sent many times: well below the in-flight limit. */
const SPEND_WIDTH = 4;

/** Requests from one client address where the story names no client: well within its budget. */
export const PER_CLIENT = 100;
/** The first of those addresses: no story names it. */
export const FREE_CLIENT = 4096;

interface FlowPlayerOptions {
  /** Made anew for each story. */
  readonly watch?: (playing: Playing) => Watch;
  /** The clauses judged; a departure from another one is left to other cases, so a target that has one is judged by these too. */
  readonly clauses?: readonly ClauseId[];
  readonly width?: number;
}

export const flowPlayer = ({ watch, width = WIDTH, clauses }: FlowPlayerOptions = {}): PlayerKind<FlowPlayer> => ({
  start: (playing) => new FlowPlayer(playing, watch?.(playing)),
  width,
  repeats: "always",
  ...(clauses && { clauses }),
});

export class FlowPlayer implements StepPlayer {
  readonly world: World;
  readonly #executor: Executor;
  readonly #watch: Watch | undefined;
  readonly #held = new Map<string, HeldRequest[]>();
  readonly #played: Step[] = [];
  readonly answers: StepAnswer[][] = [];
  /** The target's clock after the last step, ms. */
  #clock = 0;
  /** Requests sent so far where the story names no client. */
  #free = 0;
  requests = 0;
  skipped = 0;

  constructor({ world, executor }: Playing, watch: Watch | undefined) {
    this.world = world;
    this.#executor = executor;
    this.#watch = watch;
  }

  /** Plays one step; a step that refers to what is not there is left out. */
  async play(step: Step): Promise<Broken | undefined> {
    const { world } = this;
    const executor = this.#executor;
    if (world.isLost) return this.#skip();
    this.#noteTime();
    if (step.do === "send") return this.#send(step);
    // A step of other properties' stories.
    if (step.do === "together") return this.#skip();
    if (step.do === "hold") await this.#hold(step);
    if (step.do === "release") await this.#release(step);
    if (step.do === "pass") await executor.pass(step.ms);
    if (step.do === "persist") {
      if (executor.persist === undefined) return this.#skip();
      await executor.persist(step.fail);
      world.failing = step.fail;
    }
    if (step.do === "settle") {
      const flow = world.flows.get(step.flow);
      const taskId = flow?.taskIds[step.task];
      if (flow === undefined || taskId === undefined || executor.settle === undefined) return this.#skip();
      const from = executor.now();
      await executor.settle(flow.flowId, taskId, step.status);
      flow.taskIds[step.task] = undefined;
      taskEnded(world, flow, { from, to: executor.now() });
    }
    this.#note(step);
    this.#clock = executor.now();
    return undefined;
  }

  /** Concurrent stories share a driven clock: time that another one lets pass has passed for this one too. */
  #noteTime(): void {
    const { driven } = this.#executor;
    const now = this.#executor.now();
    if (driven && now > this.#clock && this.#played.length > 0) this.#note({ do: "pass", ms: now - this.#clock });
    this.#clock = now;
  }

  async #send(step: SendStep): Promise<Broken | undefined> {
    const { world } = this;
    const executor = this.#executor;
    const body = fillIn(step.body ?? {}, (reference) => lookUp(world, reference)) as Record<string, unknown>;
    if (Object.values(body).includes(undefined)) return this.#skip();
    const route = executor.routes[step.route];
    const request = requestOf(step, route, body);
    const from = executor.now();
    const client = step.client ?? FREE_CLIENT + Math.floor(this.#free++ / PER_CLIENT);
    if (step.times !== undefined) await this.#spend(request, client, step.times - 1);
    const exchange = await executor.send(request, client);
    this.requests += 1;
    const response = responseOf(exchange);
    const sent: Sent = { step, routeId: route.id, body, at: { from, to: executor.now() } };
    this.#note(step, printOf(response));
    const wrong = silence(response) ?? this.#watch?.(sent, response) ?? judge(world, sent, response);
    if (wrong === undefined || wrong === "judged") return undefined;
    return this.broken(wrong, exchange);
  }

  /** The story so far, as one that shows this departure. */
  broken(wrong: Departure, exchange: Exchange | undefined): Broken {
    return { story: [...this.#played], answers: [...this.answers], departure: wrong, exchange };
  }

  async #spend(request: Request, client: number, times: number): Promise<void> {
    let left = times;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await this.#executor.send(request, client);
      }
    };
    await Promise.all(Array.from({ length: SPEND_WIDTH }, worker));
    this.requests += times;
  }

  async #hold({ route, client = 0, count }: Extract<Step, { do: "hold" }>): Promise<void> {
    const executor = this.#executor;
    // A read that every target accepts; its result does not matter.
    const request = validRequest(executor.routes[route], { action: "find_latest_flow" });
    const held = this.#heldBy(route, client);
    for (let index = 0; index < count; index += 1) held.push(await executor.hold(request, client));
    await executor.barrier();
    this.requests += count;
  }

  async #release({ route, client = 0, count, how }: Extract<Step, { do: "release" }>): Promise<void> {
    for (const request of this.#heldBy(route, client).splice(0, count)) {
      if (how === "abort") request.abort();
      else await request.finish();
    }
    await this.#executor.barrier();
  }

  #heldBy(route: string, client: number): HeldRequest[] {
    const key = `${route} ${client}`;
    const held = this.#held.get(key) ?? [];
    this.#held.set(key, held);
    return held;
  }

  async close(): Promise<void> {
    for (const request of [...this.#held.values()].flat()) request.abort();
    this.#held.clear();
    try {
      if (this.world.failing.length > 0) await this.#executor.persist?.([]);
    } finally {
      this.#executor.close?.();
    }
  }

  #skip(): undefined {
    this.skipped += 1;
    return undefined;
  }

  #note(step: Step, answer?: string): void {
    this.#played.push(step);
    this.answers.push(answer === undefined ? [] : [{ answer }]);
  }
}

/** No response at all counts whatever clauses are judged. */
function silence(response: Response): Departure | undefined {
  return response.exchange.answer === undefined ? departure("PATH-SERVED", "an answer", printOf(response)) : undefined;
}
