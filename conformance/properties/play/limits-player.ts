/** Plays stories about the limits: each response says whether the request was let in, and the rate model whether it may be. */
import { setTimeout as sleep } from "node:timers/promises";
import { validRequest, type ActionBody, type Request } from "../../../fixtures/request.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { RateModel, type Span } from "../../interface/rate-model.ts";
import type { SendStep, Step } from "../../story/story.ts";
import { departure, type Departure } from "../oracle/departure.ts";
import { isByBudget, kindOf, type Kind } from "../oracle/limits-kind.ts";
import { printOf } from "../oracle/response.ts";
import type { World } from "../oracle/world.ts";
import type { HeldRequest } from "./executor.ts";
import { LimitsKey, noSlot, overBudget, underBudget, type Key } from "./limits-key.ts";
import { LimitsWire, type Outcome } from "./limits-wire.ts";
import { requestOf } from "./request-of.ts";
import type { Broken } from "../oracle/broken.ts";
import type { PlayerKind, Playing, StepPlayer } from "./step-player.ts";

/** A target frees a slot and counts a held request within this time, ms; a story that is known to break waits less. */
const SETTLE_MS = 3000;
const HASTY_SETTLE_MS = 120;
/** Between two tries, doubled each time: every try spends the budget. */
const POLL_MS = 30;
const SOON_MS = 100;
/** A target waits this long for a body, and then answers within a moment, ms. */
const BODY_MS = 15_000;
const BODY_LATE_MS = 500;

/** The first client number for a plan that wants a new client. */
const FIRST_NEW = 8;

/** One story at a time: the time that it lets pass concerns every key. */
export const limitsPlayer: PlayerKind<LimitsPlayer> = {
  start: (playing) => new LimitsPlayer(playing),
  width: 1,
  repeats: "timed",
};

export class LimitsPlayer implements StepPlayer {
  readonly world: World;
  readonly rate: RateModel;
  readonly driven: boolean;
  skipped = 0;
  readonly #executor: Playing["executor"];
  readonly #settleMs: number;
  readonly #keys = new Map<string, LimitsKey>();
  readonly #wire: LimitsWire;

  constructor({ world, executor, hasty = false }: Playing) {
    this.world = world;
    this.#executor = executor;
    this.driven = executor.driven;
    // With a driven clock two windows pass before the first request.
    this.rate = new RateModel(this.driven);
    this.#settleMs = hasty ? HASTY_SETTLE_MS : SETTLE_MS;
    this.#wire = new LimitsWire(executor, this.#settleMs);
  }

  get requests(): number {
    return this.#wire.requests;
  }

  get answers(): StepPlayer["answers"] {
    return this.#wire.story.answers;
  }

  /** Requests in flight at a key. */
  held(key: Key): number {
    return this.#key(key).held.length;
  }

  /** Requests that a key's budget still has, at most. */
  budgetLeft({ route, client }: Key): number {
    return REQUESTS_PER_WINDOW - this.rate.spent(`${route} ${client}`, this.now());
  }

  /** Whether a key surely has a slot, and half of its budget. */
  hasRoom(of: Key): boolean {
    const key = this.#key(of);
    return key.slot(1, this.#settleMs) === "free" && this.rate.spent(key.name, this.now()) <= REQUESTS_PER_WINDOW / 2;
  }

  /** A client that has sent nothing yet. */
  newClient(): number {
    return FIRST_NEW + this.#keys.size;
  }

  now(): Span {
    const now = this.#executor.now();
    return { from: now, to: now };
  }

  async play(step: Step): Promise<Broken | undefined> {
    // Ends the windows of earlier stories, however the target groups keys.
    if (this.driven && this.#wire.story.isEmpty) await this.#executor.pass(2 * WINDOW_MS);
    const judged = (await this.#overdue()) ?? (await this.#judge(step));
    return this.#wire.story.played(step, judged);
  }

  close(): void {
    for (const { held } of this.#keys.values()) for (const { request } of held.splice(0)) request.abort();
    this.#executor.close?.();
  }

  async #judge(step: Step): Promise<Departure | undefined> {
    if (step.do === "send") return this.#send(step);
    if (step.do === "hold") return this.#holdAll(this.#key(step), step.count);
    if (step.do === "release") return this.#release(this.#key(step), step.count, step.how);
    if (step.do === "pass") await this.#executor.pass(step.ms);
    else this.skipped += 1; // A step of other properties' stories.
    return this.#overdue();
  }

  #key({ route, client = 0 }: { route: SendStep["route"]; client?: number | undefined }): LimitsKey {
    const name = `${route} ${client}`;
    const key = this.#keys.get(name) ?? new LimitsKey(route, client);
    this.#keys.set(name, key);
    return key;
  }

  async #send(step: SendStep): Promise<Departure | undefined> {
    const key = this.#key(step);
    const request = requestOf(step, this.#executor.routes[step.route], step.body ?? this.#right);
    const kind = kindOf(step, this.world.gaps["body.max-bytes"]);
    if (kind === "right") return this.#sendRight(key, request, step.times ?? 1);
    return this.#sendOther(key, request, kind, step);
  }

  get #right(): ActionBody {
    return this.#executor.cheapBody ?? { action: "list_flows" };
  }

  async #sendOther(
    key: LimitsKey,
    request: Request,
    kind: Kind,
    { times = 1, padTo }: SendStep,
  ): Promise<Departure | undefined> {
    const large = padTo !== undefined;
    for (let left = times; left > 0;) {
      const late = await this.#overdue();
      if (late !== undefined) return late;
      const sent = Math.min(left, key.width);
      left -= sent;
      // Open: whether an unread body keeps its slot while its connection is open.
      const { at, letIn } = await this.#wire.exchange(key, request, sent, large);
      if (kind !== "not counted") this.rate.observe({ key: key.name, at, sent, slot: "maybe" });
      if (large) key.end(sent);
      if (kind !== "open" && letIn > 0) return departure("BODY-SIZE", "a refusal", "a request let in");
    }
    return undefined;
  }

  async #sendRight(key: LimitsKey, request: Request, times: number): Promise<Departure | undefined> {
    for (let left = times; left > 0;) {
      const late = await this.#overdue();
      if (late !== undefined) return late;
      const most = Math.min(left, key.width);
      const sent = key.slot(most, this.#settleMs) === "maybe" ? 1 : most;
      left -= sent;
      const slot = key.slot(sent, this.#settleMs);
      const outcome = await this.#wire.exchange(key, request, sent);
      const wrong =
        slot === "free"
          ? this.#counted(key, outcome, sent)
          : await (slot === "maybe"
              ? this.#refusedForASlot(key, request, outcome)
              : this.#ninth(key, request, outcome));
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  /** Only the budget may refuse these. */
  #counted(key: LimitsKey, { at, letIn, responses }: Outcome, sent: number): Departure | undefined {
    const before = this.rate.spent(key.name, at);
    const room = this.rate.hasRoom(key.name, at);
    if (this.rate.observe({ key: key.name, at, sent, letIn, slot: "free" })) return undefined;
    const isOver = room === false || letIn > REQUESTS_PER_WINDOW - before;
    // Shows one of the wrong ones.
    this.#wire.story.show(responses.findLast(({ accepted }) => accepted === isOver));
    return isOver ? overBudget() : underBudget(key, at, this.driven);
  }

  /** A slot may be freed a moment late: sends again, which spends the budget. */
  async #refusedForASlot(key: LimitsKey, request: Request, first: Outcome): Promise<Departure | undefined> {
    const until = performance.now() + this.#settleMs;
    for (let outcome = first, waitMs = POLL_MS; ; waitMs *= 2) {
      const { at, letIn, responses } = outcome;
      if (responses.some((one) => isByBudget(one, this.world.gaps))) return this.#counted(key, outcome, 1);
      const room = this.rate.hasRoom(key.name, at);
      if (!this.rate.observe({ key: key.name, at, sent: 1, letIn, slot: "maybe" })) return overBudget();
      if (letIn === 1 || room !== true) return undefined;
      if (performance.now() > until) return noSlot(key);
      await sleep(waitMs);
      outcome = await this.#wire.exchange(key, request, 1);
    }
  }

  /** Eight are in flight: one more has to be refused, as soon as the target has seen them all. */
  async #ninth(key: LimitsKey, request: Request, first: Outcome): Promise<Departure | undefined> {
    const until = performance.now() + this.#settleMs;
    for (let outcome = first, waitMs = POLL_MS; ; waitMs *= 2) {
      this.rate.observe({ key: key.name, at: outcome.at, sent: outcome.responses.length, slot: "taken" });
      if (outcome.letIn === 0) return undefined;
      const late = await this.#overdue();
      if (late !== undefined || key.held.length < IN_FLIGHT) return late;
      const gone = key.held.filter(({ request }) => request.answered).length;
      if (gone > 0) return departure("IN-FLIGHT-8", "eight requests held in flight", `${gone} of them answered`);
      if (performance.now() > until) {
        return departure("IN-FLIGHT-8", "a refusal: eight are in flight", "a request let in");
      }
      await sleep(waitMs);
      outcome = await this.#wire.exchange(key, request, 1);
    }
  }

  async #holdAll(key: LimitsKey, count: number): Promise<Departure | undefined> {
    const request = validRequest(this.#executor.routes[key.route], this.#right);
    for (let index = 0; index < count; index += 1) {
      const wrong = await this.#hold(key, request);
      if (wrong !== undefined) return wrong;
    }
    await this.#executor.barrier();
    const until = performance.now() + this.#settleMs;
    for (let { late } = key, waitMs = POLL_MS; late.length > 0; late = key.late, waitMs *= 2) {
      if (performance.now() > until) return noSlot(key);
      // A slot may be freed a moment late, and a refusal arrive a moment late.
      for (const one of late) {
        key.held.splice(key.held.indexOf(one), 1);
        await this.#wire.finish(one.request);
        const wrong = await this.#hold(key, request);
        if (wrong !== undefined) return wrong;
      }
      await sleep(waitMs);
      await this.#executor.barrier();
    }
    key.allSeen();
    return undefined;
  }

  async #hold(key: LimitsKey, request: Request): Promise<Departure | undefined> {
    if (this.rate.hasRoom(key.name, this.now()) === "maybe") {
      const wrong = await this.#sendRight(key, request, 1);
      if (wrong !== undefined) return wrong;
    }
    const until = performance.now() + this.#settleMs;
    for (let waitMs = POLL_MS; ; waitMs *= 2) {
      const slot = key.slot(1, this.#settleMs);
      const from = this.#wire.begin(key);
      const held = await this.#executor.hold(request, key.client);
      const at = { from, to: this.#executor.now() };
      const room = this.rate.hasRoom(key.name, at);
      this.#wire.requests += 1;
      this.rate.observe({ key: key.name, at, sent: 1, slot });
      if (room === true && slot === "free") {
        key.held.push({ request: held, since: at });
        return undefined;
      }
      await this.#executor.barrier();
      if (room === false || slot === "taken") return this.#refusedHold(key, request, held, room);
      if (room === "maybe") await this.#wire.until(() => held.answered, SOON_MS);
      if (!held.answered) {
        key.held.push({ request: held, since: at });
        key.allSeen();
        return undefined;
      }
      await this.#wire.finish(held);
      if (room === "maybe") return undefined;
      if (performance.now() > until) return noSlot(key);
      await sleep(waitMs);
    }
  }

  /** A limit refuses a request whose body is incomplete: most targets answer at once, some when the body has come. */
  async #refusedHold(
    key: LimitsKey,
    request: Request,
    held: HeldRequest,
    room: boolean | "maybe",
  ): Promise<Departure | undefined> {
    await this.#wire.until(() => held.answered, SOON_MS);
    const response = await this.#wire.finish(held);
    if (!response.accepted) return undefined;
    if (room === false) return overBudget();
    return this.#ninth(key, request, { at: this.now(), responses: [response], letIn: 1 });
  }

  async #release(key: LimitsKey, count: number, how: "finish" | "abort"): Promise<Departure | undefined> {
    for (const { request, since } of key.held.splice(0, count)) {
      key.released = true;
      key.end();
      if (how === "abort") request.abort();
      else {
        const response = await this.#wire.finish(request);
        // A body that is so late may be refused.
        if (!response.accepted && !this.#isOver(since))
          return departure("IN-FLIGHT-8", "a request in flight let through", printOf(response));
      }
    }
    await this.#executor.barrier();
    return undefined;
  }

  /** A body that is awaited since then may be refused by now. */
  #isOver({ from }: Span): boolean {
    return this.#executor.now() - from >= BODY_MS - BODY_LATE_MS;
  }

  /** Requests whose bodies are overdue must have been answered. On a real clock a few steps may take that long. */
  async #overdue(): Promise<Departure | undefined> {
    const now = this.#executor.now();
    for (const key of this.#keys.values()) {
      const over = key.held.filter(({ since }) => this.#isOver(since));
      for (const one of over) {
        key.held.splice(key.held.indexOf(one), 1);
        key.released = true;
        const { request, since } = one;
        if (now - since.to >= BODY_MS + BODY_LATE_MS) {
          await this.#wire.until(() => request.answered, SETTLE_MS);
          if (!request.answered) return departure("BODY-TIME", "an answer after 15 seconds", "none");
          const response = await this.#wire.finish(request);
          if (response.accepted) return departure("BODY-TIME", "a refusal after 15 seconds", printOf(response));
        } else request.abort();
        key.end();
      }
    }
    return undefined;
  }
}
