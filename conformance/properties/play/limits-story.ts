/** The played steps of a story about the limits, each with its responses counted by kind. */
import type { StepAnswer } from "../../harness/outcome.ts";
import { departure, type Departure } from "../oracle/departure.ts";
import type { Broken } from "../oracle/broken.ts";
import { printOf, type Response } from "../oracle/response.ts";
import type { Step } from "../../story/story.ts";

export class LimitsStory {
  readonly #played: Step[] = [];
  readonly answers: StepAnswer[][] = [];
  /** Responses to the current step, by `printOf`. */
  #tally = new Map<string, number>();
  #last: Response | undefined;
  /** A request of this step that got no answer. */
  #silent: Response | undefined;

  /** Nothing was played yet. */
  get isEmpty(): boolean {
    return this.#played.length === 0;
  }

  note(response: Response): void {
    this.#last = response;
    const print = printOf(response);
    if (response.exchange.answer === undefined) this.#silent ??= response;
    this.#tally.set(print, (this.#tally.get(print) ?? 0) + 1);
  }

  /** Sets the response that shows what is wrong, where that is not the last one. */
  show(response: Response | undefined): void {
    this.#last = response ?? this.#last;
  }

  /** Ends a step; returns the story so far when that showed a departure. A request without an answer is one. */
  played(step: Step, judged: Departure | undefined): Broken | undefined {
    const silent = this.#silent;
    this.#played.push(step);
    this.answers.push([...this.#tally].map(([answer, times]) => (times === 1 ? { answer } : { answer, times })));
    this.#tally = new Map();
    this.#silent = undefined;
    const wrong = silent === undefined ? judged : departure("PATH-SERVED", "an answer", printOf(silent));
    if (wrong === undefined) return undefined;
    const { exchange } = silent ?? this.#last ?? {};
    return { story: [...this.#played], answers: [...this.answers], departure: wrong, exchange };
  }
}
