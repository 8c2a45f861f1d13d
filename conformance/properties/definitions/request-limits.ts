/** Both limits after any history: whatever a key has sent, its budget and its slots are those of the interface. */
import * as fc from "fast-check";
import { change, createFlow } from "../../interface/bodies.ts";
import { spoilt, type RefusalId } from "../../interface/broken-requests.ts";
import { Failure, failureIn, NotApplicable, StoryFailure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import {
  acceptedSoon,
  cheap,
  eightRefused,
  hold,
  refusedSoon,
  spend,
  type Held,
  type Key,
} from "../../harness/limit-keys.ts";
import { failing } from "../../harness/faults.ts";
import { check, flowsOf, mustAccept, mustAnswer, type FlowView } from "../../harness/checks.ts";
import { mustBeWithin } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { shuffled } from "../generate/intents.ts";

const OVERDUE_MS = 15_500;
/** After this time no shorter history is looked for, ms. */
const FEWER_MS = 10_000;
/** Requests that are refused behind both limits, and so are counted. */
const refusals = ["AUTH", "BAD-JSON", "TOO-LARGE"] as const satisfies readonly RefusalId[];
/** The same by the action. */
const actions = {
  "absent flow": () => change("finish_flow", { flowId: "no-such-flow", revision: 0 }),
  "stale revision": ({ flowId, revision }: FlowView) => change("finish_flow", { flowId, revision: revision + 1000 }),
  "missing field": () => ({ action: "finish_flow" }),
  "not stored": () => createFlow("not stored"),
} as const;
type ActionRefusal = keyof typeof actions;
const isOfAction = (what: string): what is ActionRefusal => what in actions;

/** So many requests, and how they end; `full`: beside others, eight in all, of which these are broken off. */
interface Step {
  readonly what:
    (typeof refusals)[number] | ActionRefusal | "finished" | "broken off" | "out of time" | "full" | "neighbours";
  readonly count: number;
}

const countOf = (what: Step["what"], min: number, max: number): fc.Arbitrary<Step> =>
  fc.integer({ min, max }).map((count) => ({ what, count }));
const histories = shuffled(
  fc.tuple(
    ...[...refusals, ...(Object.keys(actions) as ActionRefusal[])].map((what) => countOf(what, 1, 4)),
    countOf("finished", 1, IN_FLIGHT),
    countOf("broken off", 3, 5),
    countOf("out of time", 2, 4),
    countOf("full", 1, 4),
    countOf("neighbours", 1, 1),
  ),
);

/** Plays a history at a key that nobody has used, and fails where something is not so. */
class Play {
  readonly #trial: Trial;
  readonly #key: Key;
  readonly #since: number;
  #spent = 0;
  /** The rest of the budget is being counted: the end of a window explains what is wrong then. */
  isCounting = false;

  constructor(trial: Trial) {
    this.#trial = trial;
    this.#since = trial.now();
    this.#key = { route: trial.route, from: trial.freshAddress() };
  }

  /** The history, and then what has to be left of the budget. */
  async play(history: readonly Step[]): Promise<void> {
    for (const step of history) await this.#step(step);
    await this.#mustLetEightIn();
    const left = REQUESTS_PER_WINDOW - this.#spent;
    if (left < 1) throw new Unreached("slots came free so late that the budget was spent");
    this.isCounting = true;
    // Slots that come free late may refuse some of them, and not the last one.
    for (const exchange of await spend(this.#trial, this.#key, left - 1)) mustAnswer(exchange);
    const plain = () => this.#trial.send(cheap(this.#trial, this.#key), this.#key.from);
    mustAccept(await plain(), "120 requests let in");
    const beyond = mustAnswer(await plain());
    if (isAccepted(beyond)) mustBeWithin(this.#trial, this.#since, WINDOW_MS);
    check(!isAccepted(beyond), "no more than 120 requests let in", describe(beyond), beyond);
    this.isCounting = false;
    await this.#mustLetNeighboursIn();
  }

  async #step({ what, count }: Step): Promise<void> {
    if (what === "neighbours") return this.#mustLetNeighboursIn();
    if (what === "full") return this.#full(count);
    if (isOfAction(what)) return this.#refusedByAction(what, count);
    if (what === "out of time" && !this.#trial.driven) return undefined;
    if (what === "finished") {
      // When a slot comes free behind a refused request is left open: it may take a moment.
      await this.#mustLetEightIn();
    } else if (what === "broken off" || what === "out of time") {
      const held = await this.#hold(count);
      if (what === "broken off") abort(held);
      else await this.#trial.pass(OVERDUE_MS);
    } else {
      this.#spent += count;
      await spend(this.#trial, this.#key, count, spoilt(cheap(this.#trial, this.#key), what));
      return undefined;
    }
    return this.#mustBeFree();
  }

  async #refusedByAction(what: ActionRefusal, count: number): Promise<void> {
    const [trial, key] = [this.#trial, this.#key];
    const send = async () => {
      this.#spent += count + 1;
      const created = await trial.send(trial.right(createFlow(), key.route), key.from);
      const [flow = { flowId: "none shown", revision: 0 }] = flowsOf(created);
      await spend(trial, key, count, trial.right(actions[what](flow), key.route));
    };
    if (what !== "not stored") await send();
    else if (trial.instance.control?.capabilities.has("persistence") === true) await failing(trial, "create", send);
  }

  async #full(count: number): Promise<void> {
    const some = await this.#hold(count);
    const others = await this.#hold(IN_FLIGHT - count);
    await this.#mustRefuseNinth(some, others);
    await this.#mustRefuseNinth(some, others);
    await this.#mustLetNeighboursIn();
    abort(some);
    await this.#mustBeFree();
    const more = await this.#hold(count);
    await this.#mustRefuseNinth(others, more);
    await Promise.all([others.finish(), more.finish()]);
    await this.#mustBeFree();
  }

  async #hold(count: number): Promise<Held> {
    this.#spent += count;
    return hold(this.#trial, this.#key, count);
  }

  /** Counts requests that are tried until the answer is the right one. */
  async #counted<Result>(ask: (trial: Trial, key: Key) => Promise<Result>): Promise<Result> {
    const before = this.#trial.requests;
    const result = await ask(this.#trial, this.#key);
    this.#spent += this.#trial.requests - before;
    return result;
  }

  async #mustLetEightIn(): Promise<void> {
    const lost = await this.#counted(eightRefused);
    if (lost) mustAccept(lost, "eight requests in flight let in");
  }

  async #mustRefuseNinth(...held: readonly Held[]): Promise<void> {
    const beforeEach = async () => {
      for (const one of held) this.#spent += await one.refill();
    };
    const refused = await this.#counted((trial, key) => refusedSoon(trial, key, beforeEach));
    if (refused === undefined && held.some(({ uploads }) => uploads.some(({ answered }) => answered)))
      throw new Unreached("one of those in flight was answered before its last byte was sent");
    if (refused === undefined)
      throw new Failure("a ninth request in flight refused", "it was let in", this.#trial.last.slice(0, 1));
  }

  async #mustBeFree(): Promise<void> {
    mustAccept(await this.#counted((trial, key) => acceptedSoon(trial, key)), "a slot free behind those that are over");
  }

  async #mustLetNeighboursIn(): Promise<void> {
    const trial = this.#trial;
    for (const other of [{ route: trial.sibling }, { from: trial.freshAddress() }]) {
      const key = { ...this.#key, ...other };
      const exchange = await trial.send(cheap(trial, key), key.from);
      mustAccept(exchange, "keys of their own for another path and client");
    }
  }
}

const abort = ({ uploads }: Held): void => uploads.forEach((upload) => upload.abort());

export const limitsProperty = (seed: number): Case => ({
  id: "PROPERTY-LIMITS",
  title: "Whatever a key has sent, and however it ended, 120 requests of a window are let in and eight in flight",
  clauses: [
    "RATE-120",
    "RATE-KEY-PATH",
    "RATE-KEY-ADDRESS",
    "ORDER-RATE-IN-FLIGHT",
    "IN-FLIGHT-8",
    "IN-FLIGHT-FREED",
    "IN-FLIGHT-KEY-PATH",
  ],
  alone: true,
  costly: true,
  clock: "driven",
  needs: ["addresses"],
  meetsLimits: true,
  requests: REQUESTS_PER_WINDOW,
  longestMs: 60_000,
  reading:
    "Refused, finished and broken off requests in an order that the seed draws, and where the clock can be driven some that " +
    "run out of time. A window that ends by the clock may end on the way: what is wrong has to be so a second time in a row.",
  async run(trial) {
    if (!trial.toldApart) throw new NotApplicable("the target takes all client addresses for one");
    const failureOf = (steps: readonly Step[], play = new Play(trial)) =>
      play.play(steps).then(() => undefined, failureIn);
    let [history = []] = fc.sample(histories, { seed, numRuns: 1 });
    const first = new Play(trial);
    if ((await failureOf(history, first)) === undefined) return;
    let failure = await failureOf(history);
    if (failure === undefined) {
      // Right twice: a window of the first play ended on the way.
      if (first.isCounting && (await failureOf(history)) === undefined) return;
      throw new Unreached("what was wrong was right when the same was sent again", trial.last);
    }
    const until = performance.now() + FEWER_MS;
    for (const step of history) {
      if (performance.now() > until) break;
      const fewer = history.filter((one) => one !== step);
      // What is confirmed is told, although fewer steps show nothing.
      const found = await failureOf(fewer).catch(() => undefined);
      if (found) [history, failure] = [fewer, found];
    }
    const { expected, actual, exchanges } = failure;
    const steps = history.map(({ what, count }) => ({ what: `${count} x ${what}`, answers: [] }));
    throw new StoryFailure(expected, actual, { steps, requests: history.length }, exchanges);
  },
});
