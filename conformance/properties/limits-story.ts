/** What is told of a story about the limits: of each step how often it was answered in which way. */
import { finding, type Finding } from "./finding.ts";
import type { Broken } from "./player.ts";
import { printOf, type Said } from "./said.ts";
import type { Step } from "../story/story.ts";

export class LimitsStory {
  readonly #played: Step[] = [];
  readonly answers: (string | undefined)[] = [];
  /** Answers to the step that is played, by what they are. */
  #tally = new Map<string, number>();
  #last: Said | undefined;
  /** A request of this step that got no answer. */
  #silent: Said | undefined;

  /** Nothing was played yet. */
  get isEmpty(): boolean {
    return this.#played.length === 0;
  }

  note(said: Said): void {
    this.#last = said;
    const print = printOf(said);
    if (said.exchange.answer === undefined) this.#silent ??= said;
    this.#tally.set(print, (this.#tally.get(print) ?? 0) + 1);
  }

  /** The answer that shows what is wrong, where it is not the last one. */
  show(said: Said | undefined): void {
    this.#last = said ?? this.#last;
  }

  /** Ends a step; gives the story so far when that showed a departure. A request without an answer is one. */
  played(step: Step, judged: Finding | undefined): Broken | undefined {
    const silent = this.#silent;
    this.#played.push(step);
    this.answers.push([...this.#tally].map(([print, count]) => `${count} x ${print}`).join(", ") || undefined);
    this.#tally = new Map();
    this.#silent = undefined;
    const wrong = silent === undefined ? judged : finding("PATH-SERVED", "an answer", printOf(silent));
    if (wrong === undefined) return undefined;
    const { exchange } = silent ?? this.#last ?? {};
    return { story: [...this.#played], answers: [...this.answers], finding: wrong, exchange };
  }
}
