/** Plays stories about flows: fills each request in, sends it, and has its response judged. */
import type { ClauseId } from "../../interface/clauses/index.ts";
import type { SendStep, Step } from "../../story/story.ts";
import { searchFor, textsOf, type Search } from "../../harness/finder.ts";
import { departure, type Departure, type Broken } from "../departure.ts";
import { judge } from "../judge.ts";
import { printOf, type Response, type Sent } from "../response.ts";
import { taskEnded } from "../seen.ts";
import { StepPlayer, type PlayerKind } from "./step-player.ts";

/** `clauses`: those judged; a departure from another one is left to other cases, so a target that has one is judged by these too. */
export const flowPlayer = (clauses?: readonly ClauseId[]): PlayerKind => ({
  start: (playing) => new FlowPlayer(playing),
  repeats: "always",
  ...(clauses && { clauses }),
});

/** How a story marks the session key of a child that no answer may show. */
export const CHILD_CANARY = "child-canary-";

class FlowPlayer extends StepPlayer {
  /** The target's clock after the last step, ms. */
  #clock = 0;
  /** For the target's canaries, and for each child's key that was sent. */
  readonly #searches: Search[] = [];

  /** Plays one step; a step that refers to what is not there is left out. */
  async play(step: Step): Promise<Broken | undefined> {
    const { world, executor } = this;
    if (world.isLost) return this.skip();
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
    const wrong = silence(response) ?? this.#leak(sent, response) ?? judge(this.world, sent, response);
    return wrong && this.broken(wrong, response.exchange);
  }

  /** A canary in an answer, where that is judged; the session keys of children become known as they are sent. */
  #leak({ body: { childSessionKey: key } }: Sent, { exchange: { answer } }: Response): Departure | undefined {
    if (this.world.clauses?.includes("NO-METADATA") !== true) return undefined;
    if (this.#searches.length === 0) this.#searches.push(searchFor(this.executor.canaries));
    if (typeof key === "string" && key.startsWith(CHILD_CANARY))
      this.#searches.push(searchFor([{ name: "a child's session key", value: key }]));
    const text = answer === undefined ? "" : textsOf(answer);
    const leak = this.#searches.map((search) => search(text)).find((found) => found !== undefined);
    return leak && departure("NO-METADATA", "an answer without session keys, owner metadata or secrets", leak.name);
  }

  override async close(): Promise<void> {
    try {
      if (this.world.failing.length > 0) await this.executor.persist?.([]);
    } finally {
      await super.close();
    }
  }
}

/** No response at all counts whatever clauses are judged. */
function silence(response: Response): Departure | undefined {
  return response.exchange.answer === undefined ? departure("PATH-SERVED", "an answer", printOf(response)) : undefined;
}
