/** Both limits after any history: whatever a key has sent, its budget and its slots are those of the interface. */
import * as fc from "fast-check";
import { change, createFlow } from "../../interface/bodies.ts";
import { spoilt, type RefusalId } from "../../interface/broken-requests.ts";
import { NotApplicable, StoryFailure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import {
  acceptedSoon,
  cheap,
  eightRefused,
  firstRefusal,
  hold,
  refusedSoon,
  spend,
  type Held,
} from "../../harness/limit-keys.ts";
import { failing } from "../../harness/faults.ts";
import { flowsOf, type FlowView } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { shuffled } from "../generate/intents.ts";
import type { Depth } from "../search.ts";

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

/** What is not so, and the answer that shows it. */
interface Broken {
  readonly expected: string;
  readonly exchange: Exchange | undefined;
}

/** Plays a history at a key that nobody has used. */
class Play {
  readonly #trial: Trial;
  readonly #key;
  #spent = 0;

  constructor(trial: Trial) {
    this.#trial = trial;
    this.#key = { route: trial.route, from: trial.freshAddress() };
  }

  /** The history, and then what has to be left of the budget. */
  async broken(history: readonly Step[]): Promise<Broken | undefined> {
    for (const step of history) {
      const found = await this.#step(step);
      if (found) return found;
    }
    const lost = await this.#counted(() => eightRefused(this.#trial, this.#key));
    if (lost) return { expected: "eight requests in flight let in", exchange: lost };
    const left = REQUESTS_PER_WINDOW - this.#spent;
    if (left < 0) throw new Unreached("slots came free so late that the budget was spent");
    const early = firstRefusal(await spend(this.#trial, this.#key, left));
    if (early) return { expected: "120 requests let in", exchange: early };
    const beyond = await this.#trial.send(cheap(this.#trial, this.#key), this.#key.from);
    return isAccepted(beyond) ? { expected: "no more than 120 requests let in", exchange: beyond } : this.#neighbours();
  }

  async #step({ what, count }: Step): Promise<Broken | undefined> {
    if (what === "neighbours") return this.#neighbours();
    if (what === "full") return this.#full(count);
    if (isOfAction(what)) return this.#refusedByAction(what, count);
    if (what !== "finished" && what !== "broken off" && what !== "out of time") {
      this.#spent += count;
      await spend(this.#trial, this.#key, count, spoilt(cheap(this.#trial, this.#key), what));
      return undefined;
    }
    if (what === "out of time" && !this.#trial.driven) return undefined;
    if (what === "finished") {
      // When a slot comes free behind a refused request is left open: it may take a moment.
      const lost = await this.#counted(() => eightRefused(this.#trial, this.#key));
      return lost ? { expected: "eight requests let in", exchange: lost } : this.#freed();
    }
    const { uploads } = await this.#hold(count);
    if (what === "out of time") await this.#trial.pass(OVERDUE_MS);
    for (const upload of uploads) if (what === "broken off") upload.abort();
    return this.#freed();
  }

  async #refusedByAction(what: ActionRefusal, count: number): Promise<undefined> {
    const [trial, key] = [this.#trial, this.#key];
    const send = async () => {
      this.#spent += count + 1;
      const created = await trial.send(trial.right(createFlow(), key.route), key.from);
      const [flow = { flowId: "none shown", revision: 0 }] = flowsOf(created);
      await spend(trial, key, count, trial.right(actions[what](flow), key.route));
    };
    if (what !== "not stored") await send();
    else if (trial.instance.control?.capabilities.has("persistence") === true) await failing(trial, "create", send);
    return undefined;
  }

  async #full(count: number): Promise<Broken | undefined> {
    const some = await this.#hold(count);
    const others = await this.#hold(IN_FLIGHT - count);
    const found = (await this.#ninth()) ?? (await this.#ninth()) ?? (await this.#neighbours());
    for (const upload of some.uploads) upload.abort();
    const after = found ?? (await this.#freed());
    if (after) return after;
    const more = await this.#hold(count);
    const again = await this.#ninth();
    await Promise.all([others.finish(), more.finish()]);
    return again ?? this.#freed();
  }

  async #hold(count: number): Promise<Held> {
    this.#spent += count;
    return hold(this.#trial, this.#key, count);
  }

  /** Counts requests that are tried until the answer is the right one. */
  async #counted<Result>(ask: () => Promise<Result>): Promise<Result> {
    const before = this.#trial.requests;
    const result = await ask();
    this.#spent += this.#trial.requests - before;
    return result;
  }

  async #ninth(): Promise<Broken | undefined> {
    const refused = await this.#counted(() => refusedSoon(this.#trial, this.#key));
    return refused ? undefined : { expected: "a ninth request in flight refused", exchange: this.#trial.last[0] };
  }

  async #freed(): Promise<Broken | undefined> {
    const next = await this.#counted(() => acceptedSoon(this.#trial, this.#key));
    return isAccepted(next) ? undefined : { expected: "a slot free behind those that are over", exchange: next };
  }

  async #neighbours(): Promise<Broken | undefined> {
    const [trial, key] = [this.#trial, this.#key];
    const others = [
      { ...key, route: trial.sibling },
      { ...key, from: trial.freshAddress() },
    ];
    for (const other of others) {
      const exchange = await trial.send(cheap(trial, other), other.from);
      if (!isAccepted(exchange)) return { expected: "keys of their own for another path and client", exchange };
    }
    return undefined;
  }
}

export const limitsProperty = ({ seed }: Depth): Case => ({
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
    "run out of time. A window that ends by the clock may end on the way: what is wrong has to be so a second time.",
  async run(trial) {
    if (!trial.toldApart) throw new NotApplicable("the target takes all client addresses for one");
    let [history = []] = fc.sample(histories, { seed, numRuns: 1 });
    if ((await new Play(trial).broken(history)) === undefined) return;
    let broken = await new Play(trial).broken(history);
    if (broken === undefined) throw new Unreached("what was wrong was right when the same was sent again", trial.last);
    const until = performance.now() + FEWER_MS;
    for (const step of history) {
      if (performance.now() > until) break;
      const fewer = history.filter((one) => one !== step);
      const found = await new Play(trial).broken(fewer);
      if (found) [history, broken] = [fewer, found];
    }
    const { expected, exchange } = broken;
    const steps = history.map(({ what, count }) => ({ what: `${count} x ${what}`, answers: [] }));
    const actual = exchange === undefined ? "no answer" : describe(exchange);
    throw new StoryFailure(expected, actual, { steps, requests: history.length }, exchange ? [exchange] : []);
  },
});
