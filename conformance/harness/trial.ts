/** What a case works with: routes and a client address of its own, ways to send, ways to let time pass. */
import { setTimeout as delay } from "node:timers/promises";
import { createFlow } from "../interface/bodies.ts";
import { BODY_MS } from "../interface/limits.ts";
import { validRequest, type ActionBody, type Request } from "../interface/request.ts";
import { gaps, type GapId, type GapValue, type Profile } from "../interface/gaps.ts";
import type { Exchange } from "../http/exchange.ts";
import { OutOfTime } from "../http/harness-error.ts";
import { Connection } from "../http/raw.ts";
import { wireForm } from "../http/wire-form.ts";
import { Upload } from "../http/upload.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import type { Control } from "../targets/control.ts";
import type { Server } from "../targets/server.ts";
import { HOME_ADDRESS, type LaneLease } from "../targets/lanes.ts";
import { specialRoutes, type SpecialRoute } from "../targets/standard-routes.ts";
import { NotApplicable, Unreached } from "./case-errors.ts";
import type { Coverage } from "./outcome.ts";
import { CaseRecord, keyText, type Recorded } from "./case-record.ts";
import { flowOf, setUp, type FlowView } from "./checks.ts";
import type { Facts } from "../targets/facts.ts";

/** Why nothing is held on such a target. */
export const STALLED =
  "no request can be held: the target answers nobody while one body is owed, or a proxy in between keeps bodies back";

const FEWEST_TRIES = 4;

/** A target may take the whole body time before it answers a request whose body is owed, ms. */
const OWED_MS = BODY_MS + 5000;

interface Parts extends Recorded {
  readonly facts: Facts;
  readonly lease: LaneLease;
  /** Aborted when the case's time is up. */
  readonly signal: AbortSignal;
  /** Gaps that the profile does not bind are bound to what is seen first. */
  readonly learns?: boolean;
}

export class Trial {
  readonly #of: Parts;
  readonly server: Server;
  readonly facts: Facts;
  readonly from: string;
  readonly product: string;
  readonly profile: Profile;
  /** The target has a rate limit of its own for each client address. */
  readonly toldApart: boolean;
  /** Time is driven through the control port, not waited for. */
  readonly driven: boolean;
  readonly signal: AbortSignal;
  /** What it has done, for its report and for what sends in a way of its own. */
  readonly record: CaseRecord;
  /** When each upload went out. */
  readonly #uploads = new WeakMap<Upload, number>();
  /** A client address for requests that no limit of the case may count. */
  #aside: string | undefined;
  /** How much of its table a case made of rows has judged. */
  coverage: Coverage | undefined;

  /** `record`: of the trial that this one is made from. */
  constructor(of: Parts, record = new CaseRecord(of)) {
    this.#of = of;
    this.server = of.server;
    this.facts = of.facts;
    this.from = of.lease.from;
    this.product = of.server.target.product;
    ({ profile: this.profile, toldApart: this.toldApart, driven: this.driven } = of.facts);
    this.signal = of.signal;
    this.record = record;
  }

  get route(): ConfiguredRoute {
    return this.routeOf(this.#of.lease.lane.route);
  }

  /** A route that shares the session of `route`. */
  get sibling(): ConfiguredRoute {
    return this.routeOf(this.#of.lease.lane.sibling);
  }

  /** A route of another session. */
  get stranger(): ConfiguredRoute {
    return this.routeOf(this.#of.lease.lane.stranger);
  }

  special(name: SpecialRoute): ConfiguredRoute {
    return this.routeOf(specialRoutes[name].id);
  }

  routeOf(id: string): ConfiguredRoute {
    const route = this.server.configuration.routes.get(id);
    if (route === undefined) throw new NotApplicable(`the configuration has no route ${id}`);
    return route;
  }

  /** The control port; the case names the capability that it `needs`. */
  get control(): Control {
    if (this.server.control === undefined) throw new NotApplicable("the target has no control port");
    return this.server.control;
  }

  /** A fresh client address; only for cases that need `addresses`. */
  freshAddress(): string {
    if (this.facts.addresses === undefined)
      throw new NotApplicable("this system cannot send from addresses of its own");
    return this.facts.addresses.next();
  }

  /** The exchange that ended last, as evidence; empty before the first one. */
  get last(): readonly Exchange[] {
    return this.record.last;
  }

  get requests(): number {
    return this.record.requests;
  }

  /** What the profile binds a gap to; the case names the gap. */
  gap<Id extends GapId>(id: Id): GapValue<Id> {
    const value = this.profile.gaps[id];
    if (value === undefined) throw new NotApplicable(`the profile ${this.profile.name} does not bind ${id}`);
    return value as GapValue<Id>;
  }

  /** Whether the case has to look at what the target does in this gap. */
  judges(id: GapId): boolean {
    return this.#of.learns === true || this.profile.gaps[id] !== undefined;
  }

  /** What the target has to do in a gap: the profile's, or what was seen first where one is learned; undefined for anything. */
  bound<Id extends GapId>(id: Id, seen: unknown): GapValue<Id> | undefined {
    const { gaps: bound } = this.profile;
    const isNew = this.#of.learns === true && bound[id] === undefined && gaps[id].value.safeParse(seen).success;
    if (isNew) Object.assign(bound, { [id]: seen });
    return bound[id] as GapValue<Id> | undefined;
  }

  /** The same trial with a profile that binds these gaps alone; `learns`: what is seen of others is added to them. */
  withGaps(bound: Profile["gaps"], learns = false): Trial {
    return this.#with({ facts: { ...this.facts, profile: { ...this.profile, gaps: bound } }, learns });
  }

  /** The same trial from an address with budgets of its own, where the target tells addresses apart. */
  fresh(): Trial {
    return this.toldApart ? this.#with({ lease: { ...this.#of.lease, from: this.freshAddress() } }) : this;
  }

  #with(other: Partial<Parts>): Trial {
    return new Trial({ ...this.#of, ...other }, this.record);
  }

  /** Judges a part of the case whose failure says nothing of the parts behind it: the failure is kept, and the case goes on. */
  async part(judge: () => unknown): Promise<void> {
    try {
      await judge();
    } catch (error) {
      this.record.find(error);
    }
  }

  /** The same for each of several values. */
  async each<T>(values: Iterable<T>, judge: (value: T) => unknown): Promise<void> {
    for (const value of values) await this.part(() => judge(value));
  }

  /** Sends one request and returns the exchange, whatever came of it. */
  async send(request: Request, from = this.from): Promise<Exchange> {
    this.#goOn();
    const sent = this.record.departs(request, from);
    return this.record.keep(await this.server.client.send(request, from), sent);
  }

  /**
   * A round trip that no limit counts: by its answer the target has seen what was sent before. It takes a connection of its
   * own, as a kept-alive one could overtake heads that still wait to be accepted, unless they are (`isAccepted`). A target
   * that answers nobody while a body is owed would answer after that only.
   */
  async barrier(isAccepted = false): Promise<void> {
    this.#goOn();
    if (this.facts.stalls) return;
    const { origin, target, client } = this.server;
    const path = "/no-such-path-of-the-standard-configuration";
    const request = { method: "GET", path, headers: [], body: new Uint8Array() };
    if (isAccepted) return void (await client.send(request, HOME_ADDRESS));
    const connection = new Connection(origin, this.from);
    connection.write(wireForm(origin, request));
    await connection.answered(1, target.requestTimeoutMs);
    connection.abort();
  }

  /** The valid request: this body to a route, with the route's secret as Bearer. */
  right(body: ActionBody = createFlow(), route: ConfiguredRoute = this.route): Request {
    return validRequest(route, body);
  }

  async post(body: ActionBody, route: ConfiguredRoute = this.route): Promise<Exchange> {
    return this.send(this.right(body, route));
  }

  /** Sends the head of a request; the body follows piece by piece. Closed when the case ends. `withheld`: see `Upload`. */
  async upload(
    request: Request,
    options: { from?: string; announced?: number; withheld?: number } = {},
  ): Promise<Upload> {
    this.#goOn();
    if (this.facts.stalls) throw new Unreached(STALLED);
    const { origin, target } = this.server;
    const given = { from: this.from, ...options, timeoutMs: Math.max(target.requestTimeoutMs, OWED_MS) };
    const upload = await Upload.open(origin, request, given);
    this.record.open.add(upload);
    const sent = this.record.departs(request, given.from);
    upload.onAbort = () => this.record.gaveUp(sent);
    this.#uploads.set(upload, sent);
    this.record.begins(upload, keyText({ request, from: given.from }));
    return upload;
  }

  /** A connection for `requests` requests, open on the kit's side until the case ends. */
  connection(requests: number, from = this.from): Connection {
    this.#goOn();
    this.record.requests += requests;
    const connection = new Connection(this.server.origin, from);
    this.record.open.add(connection);
    connection.onAbort = () => this.record.arrives(connection.text);
    return connection;
  }

  /** A request as it goes over the wire; `headers`: lines beside its own. */
  wire(request: Request, from = this.from, headers: readonly string[] = []): Buffer {
    this.record.departs(request, from);
    return wireForm(this.server.origin, request, headers);
  }

  /** Ends an upload, sending what is left, and keeps the exchange as evidence. */
  async finish(upload: Upload): Promise<Exchange> {
    return this.record.keep(await upload.finish(), this.#uploads.get(upload));
  }

  /** Waits for an upload's answer without sending any more, and keeps the exchange as evidence. */
  async answerOf(upload: Upload): Promise<Exchange> {
    return this.record.keep(await upload.exchange(), this.#uploads.get(upload));
  }

  /** A new flow as set-up: without one the case is unreached. */
  async flow(more: Record<string, unknown> = {}, route: ConfiguredRoute = this.route): Promise<FlowView> {
    const exchange = setUp(await this.post(createFlow(`flow of ${this.#of.case.id}`, more), route), "create_flow");
    return flowOf(exchange);
  }

  /** Milliseconds on the clock that the target uses, from any origin. */
  now(): number {
    return this.record.now();
  }

  /** Lets `ms` milliseconds pass for the target: on its clock where that can be driven, else in real time. */
  async pass(ms: number): Promise<void> {
    this.#goOn();
    if (this.driven) {
      this.record.passedMs += ms;
      await this.#caughtUp();
      return this.control.advance(ms);
    }
    await sleep(ms, this.signal);
  }

  /**
   * A target may let a moment pass between its checks, and begins to count a body's time behind them: before its clock is
   * driven, a whole request that was sent later has gone through all of them, from an address that nobody else uses.
   */
  async #caughtUp(): Promise<void> {
    if (this.record.open.size === 0 || this.facts.addresses === undefined) return;
    this.#aside ??= this.freshAddress();
    const request = validRequest(this.route, this.facts.cheapBody);
    this.record.gaveUp(this.record.departs(request, this.#aside));
    await this.server.client.send(request, this.#aside);
  }

  /**
   * Polls until `condition` holds, for `withinMs` real milliseconds and a few times at least: on a machine that stalls one try
   * can last longer. Between two tries are `everyMs` at first, and up to eight times as long later: what is polled may spend
   * a budget. The answer is whether it came to hold.
   */
  async until(condition: () => Promise<boolean>, withinMs: number, everyMs = 20): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    for (let tries = 1; ; tries += 1) {
      if (await condition()) return true;
      if (performance.now() >= deadline && tries >= FEWEST_TRIES) return false;
      await sleep(Math.min(2 ** (tries - 1), 8) * everyMs, this.signal);
    }
  }

  /** Stops a case whose time is up, or that was judged already, at its next step. */
  #goOn(): void {
    if (this.signal.aborted) throw new OutOfTime("the case ran out of time");
  }
}

/** Real time that passes, cut short by the deadline of the case. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw new OutOfTime("the case ran out of time");
  });
}
