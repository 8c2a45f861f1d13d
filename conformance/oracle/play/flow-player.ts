/** Plays stories about flows: fills each request in, sends it, and has its response judged. */
import type { SendStep, Step } from "../../story/story.ts";
import { departure, type Departure, type Broken } from "../departure.ts";
import { judgeResponse } from "../judge.ts";
import { printOf, type Response } from "../response.ts";
import { taskEnded } from "../seen.ts";
import { StepPlayer, type PlayerKind } from "./step-player.ts";

export const flowPlayer: PlayerKind = { start: (playing) => new FlowPlayer(playing), repeats: "always" };

class FlowPlayer extends StepPlayer {
  /** The target's clock after the last step, ms. */
  #clock = 0;

  /** Plays one step; a step that refers to what is not there is left out. */
  async play(step: Step): Promise<Broken | undefined> {
    const { world, executor } = this;
    this.#noteTime();
    if (step.do === "send") return this.#send(step);
    // A step of other properties' stories.
    if (step.do === "together") return this.skip();
    if (step.do === "pass") await executor.pass(step.ms);
    if (step.do === "persist") {
      if (executor.persist === undefined) return this.skip();
      await executor.persist(step.fail);
      world.failing = step.fail;
    }
    if (step.do === "settle") {
      const flow = world.flows.get(step.flow);
      const taskId = flow?.taskIds[step.task];
      if (flow === undefined || taskId === undefined || executor.settle === undefined) return this.skip();
      const from = executor.now();
      await executor.settle(flow.flowId, taskId, step.status);
      flow.taskIds[step.task] = undefined;
      taskEnded(world, flow, { from, to: executor.now() });
    }
    this.note(step);
    this.#clock = executor.now();
    return undefined;
  }

  /** Concurrent stories share a driven clock: time that another one lets pass has passed for this one too. */
  #noteTime(): void {
    const { driven } = this.executor;
    const now = this.executor.now();
    if (driven && now > this.#clock && this.played.length > 0) this.note({ do: "pass", ms: now - this.#clock });
    this.#clock = now;
  }

  async #send(step: SendStep): Promise<Broken | undefined> {
    const answered = await this.exchange(step);
    if (answered === undefined) return this.skip();
    const { sent, response } = answered;
    this.note(step, [{ answer: printOf(response) }]);
    const wrong = this.#leak(response) ?? judgeResponse(this.world, sent, response);
    return wrong && this.broken(wrong, response.exchange);
  }

  /** A canary in an answer. */
  #leak({ exchange: { answer } }: Response): Departure | undefined {
    const leak = answer && this.executor.leakIn?.(answer);
    const expected = "an answer without session keys, owner metadata or secrets";
    return leak === undefined ? undefined : departure("NO-METADATA", expected, leak);
  }

  override async close(): Promise<void> {
    try {
      if (this.world.failing.length > 0) await this.executor.persist?.([]);
    } finally {
      await super.close();
    }
  }
}
