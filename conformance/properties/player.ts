/** Plays a story on a target: fills each request in, sends it, and lets the model judge the answer. */
import {
  paddedTo,
  validRequest,
  withBody,
  withHeader,
  withMethod,
  withoutHeader,
  type Request,
} from "../../fixtures/request.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Executor, HeldRequest } from "./executor.ts";
import { finding, type Finding } from "./finding.ts";
import { saidBy, printOf, type Said } from "./said.ts";
import type { StepPlayer } from "./step-player.ts";
import { fillIn, type SendStep, type Step, type Story } from "../story/story.ts";
import type { Sent, World } from "./world.ts";

/** A story up to the request that showed a departure. */
export interface Broken {
  readonly story: Story;
  readonly finding: Finding;
  /** The answers in order, one for each step that was sent; those of other steps are absent. */
  readonly answers: readonly (string | undefined)[];
  readonly exchange: Exchange | undefined;
}

/** What judges before the world does: leaks, limits, order. Gets every answer; `judged`: the world need not look. */
export type Watch = (sent: Sent, said: Said) => Finding | "judged" | undefined;

/** Requests at the same time while one is sent many times: well below the in-flight limit. */
const SPEND_WIDTH = 4;

/** Requests that a client address sends where a story does not say which one does: well within its budget. */
export const PER_CLIENT = 100;
/** The first of those addresses: no story names it. */
export const FREE_CLIENT = 4096;

export class Player implements StepPlayer {
  readonly world: World;
  readonly executor: Executor;
  readonly #watch: Watch | undefined;
  readonly #held = new Map<string, HeldRequest[]>();
  readonly #played: Step[] = [];
  readonly answers: (string | undefined)[] = [];
  /** The target's clock after the last step, ms. */
  #clock = 0;
  /** Requests of which the story does not say which client sends them. */
  #free = 0;
  /** Requests sent so far. */
  requests = 0;
  /** Steps left out because what they refer to is not there. */
  skipped = 0;

  constructor(of: { world: World; executor: Executor; watch?: Watch | undefined }) {
    this.world = of.world;
    this.executor = of.executor;
    this.#watch = of.watch;
  }

  /** Plays one step; a step that refers to what is not there is left out. */
  async play(step: Step): Promise<Broken | undefined> {
    const { executor, world } = this;
    if (world.isLost) return this.#skip();
    this.#noteTime();
    if (step.do === "send") return this.#send(step);
    // Only races are played at once, and only limits among very many keys.
    if (step.do === "together" || step.do === "flood") return this.#skip();
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
      world.settled(flow, { from, to: executor.now() });
    }
    this.#note(step, undefined);
    this.#clock = executor.now();
    return undefined;
  }

  /** Stories side by side share a driven clock: what others let pass has passed for this one too. */
  #noteTime(): void {
    const { driven } = this.executor;
    const now = this.executor.now();
    if (driven && now > this.#clock && this.#played.length > 0)
      this.#note({ do: "pass", ms: now - this.#clock }, undefined);
    this.#clock = now;
  }

  async #send(step: SendStep): Promise<Broken | undefined> {
    const { world, executor } = this;
    const body = fillIn(step.body ?? {}, world.lookUp) as Record<string, unknown>;
    if (Object.values(body).includes(undefined)) return this.#skip();
    const route = executor.routes[step.route];
    const request = requestOf(step, route, body);
    const from = executor.now();
    const client = step.client ?? FREE_CLIENT + Math.floor(this.#free++ / PER_CLIENT);
    if (step.times !== undefined) await this.#spend(request, client, step.times - 1);
    const exchange = await executor.send(request, client);
    this.requests += 1;
    const said = saidBy(exchange);
    const sent: Sent = { step, routeId: route.id, body, at: { from, to: executor.now() } };
    this.#note(step, printOf(said));
    const wrong = unlooked(said) ?? this.#watch?.(sent, said) ?? world.judge(sent, said);
    if (wrong === undefined || wrong === "judged") return undefined;
    return { story: [...this.#played], answers: [...this.answers], finding: wrong, exchange };
  }

  async #spend(request: Request, client: number, times: number): Promise<void> {
    let left = times;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await this.executor.send(request, client);
      }
    };
    await Promise.all(Array.from({ length: SPEND_WIDTH }, worker));
    this.requests += times;
  }

  async #hold({ route, client = 0, count }: Extract<Step, { do: "hold" }>): Promise<void> {
    const { executor } = this;
    // A read that every target takes; what it says does not matter.
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
    await this.executor.barrier();
  }

  #heldBy(route: string, client: number): HeldRequest[] {
    const key = `${route} ${client}`;
    const held = this.#held.get(key) ?? [];
    this.#held.set(key, held);
    return held;
  }

  /** Breaks off what is still held, heals what was made to fail, and gives the executor back. */
  async close(): Promise<void> {
    for (const request of [...this.#held.values()].flat()) request.abort();
    this.#held.clear();
    try {
      if (this.world.failing.length > 0) await this.executor.persist?.([]);
    } finally {
      this.executor.close?.();
    }
  }

  #skip(): undefined {
    this.skipped += 1;
    return undefined;
  }

  #note(step: Step, answer: string | undefined): void {
    this.#played.push(step);
    this.answers.push(answer);
  }
}

/** A fault that no request of a story provokes. */
function unlooked(said: Said): Finding | undefined {
  return said.exchange.answer === undefined ? finding("PATH-SERVED", "an answer", printOf(said)) : undefined;
}

/** The right request, with what the step has otherwise. */
export function requestOf(step: SendStep, route: { path: string; secret: string }, body: object): Request {
  let request = validRequest(route, body as { action: string });
  if (step.text !== undefined) request = withBody(request, step.text);
  if (step.padTo !== undefined) request = paddedTo(request, step.padTo);
  if (step.method !== undefined) request = withMethod(request, step.method);
  const { contentType, secret } = step;
  if (contentType !== undefined) {
    request =
      contentType === "" ? withoutHeader(request, "content-type") : withHeader(request, "content-type", contentType);
  }
  if (secret !== undefined) {
    request =
      secret === ""
        ? withoutHeader(request, "authorization")
        : withHeader(request, "authorization", `Bearer ${secret}`);
  }
  return request;
}

/** Plays steps in order, up to the first that shows a departure. */
export async function playSteps(story: Iterable<Step>, player: StepPlayer): Promise<Broken | undefined> {
  for (const step of story) {
    const broken = await player.play(step);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
