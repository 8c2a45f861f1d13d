/** Keeps one server of the target running for a group of cases: starts it when first needed, replaces it when it dies. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createFlow } from "../interface/bodies.ts";
import { validRequest } from "../interface/request.ts";
import { StartError } from "../foundation/start-error.ts";
import { untilAborted } from "../foundation/until-aborted.ts";
import { lastLinesOf } from "../foundation/tail.ts";
import type { StandardFacts } from "../targets/facts.ts";
import { describe } from "../http/exchange.ts";
import { HarnessError } from "../http/harness-error.ts";
import { Upload } from "../http/upload.ts";
import { Server } from "../targets/server.ts";
import { Addresses, HOME_ADDRESS, lanePool } from "../targets/lanes.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import type { Clock } from "../targets/launch.ts";
import { canRestart } from "../targets/target-file.ts";
import type { VariantName } from "../targets/variants.ts";
import type { RunContext, RunState } from "./context.ts";
import { findCheapestBody, PROBE_TIMEOUT_MS, probeOf, learnFacts } from "./probe.ts";

/** A run on a target that already runs picks one of this many blocks of addresses at random; each block has this size. */
const ADDRESS_BLOCKS = 2000;
/** The system may close a dead process's sockets this long before its exit is reported, ms. */
const EXIT_DELAY_MS = 500;
/** A target that has just kept silent is asked once more before it is replaced, and gets this long, ms. */
const AGAIN_MS = 1000;
/** A target that its last request ends has ended this long after the answer, on its clock and on the kit's, ms. */
const MOMENT_MS = 200;
const SHOWN_LOG_LINES = 10;

const GONE = "the target is gone and was not started again";

export interface HealthProblem {
  /** How the target ended, or that it hangs: the same text in every run. */
  readonly what: string;
  /** The end of what the target wrote to stderr, not redacted. */
  readonly stderrTail: string;
}

export interface HostParts extends Pick<RunState, "context" | "watch" | "budget"> {
  readonly variant: VariantName;
  /** The clock to start with, for a start command that takes {clock}. */
  readonly clock?: Clock | undefined;
  /** For a host beside the first one: what the target shows there, which may be learned while this one starts. */
  readonly standard?: StandardFacts | Promise<StandardFacts> | undefined;
  /** Its cases judge what a target is after a reload, where it can be reloaded. */
  readonly reloadsFirst?: boolean;
}

export class Host {
  readonly #of: HostParts;
  #standard: HostParts["standard"];
  #variant: VariantName;
  #server: Promise<Server> | undefined;
  /** A target with another configuration, which is to load this one: a new process takes longer. */
  #reloadable: Server | undefined;
  startMs = 0;
  #givenUp: string | undefined;
  #closed = false;
  #look: Promise<HealthProblem | undefined> | undefined;
  #next: Promise<HealthProblem | undefined> | undefined;
  /** The target that did not answer the last look. */
  #silent: Server | undefined;

  constructor(parts: HostParts) {
    this.#of = parts;
    this.#standard = parts.standard;
    this.#variant = parts.variant;
  }

  /** The running target, started at the first call; a failed start is not repeated. Throws `StartError`. */
  async ensureRunning(): Promise<Server> {
    if (this.#closed) throw new StartError("the run is over");
    this.#server ??= this.#start();
    return this.#server;
  }

  async #start(): Promise<Server> {
    const { context, watch } = this.#of;
    const { signal } = context;
    const began = performance.now();
    const server = (await this.#reloaded()) ?? (await this.#started());
    server.client.onSurplus = (exchange) => watch.surplus(server, exchange);
    this.startMs = performance.now() - began;
    try {
      const learning = learnFrom(server, context, this.#standard);
      await untilAborted(signal, learning, () => server.client.close());
      this.#standard = server.facts;
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async #started(): Promise<Server> {
    const { context, clock, reloadsFirst = false } = this.#of;
    const variant = this.#variant;
    const start = () => Server.start({ ...context, variant, clock });
    const server = await start();
    if (!reloadsFirst || !server.reloads) return server;
    const reloaded = await server.reload(variant).catch(() => undefined);
    if (reloaded !== undefined && reloaded.note === server.note) return reloaded;
    // CONFIG-CHANGED tells what is wrong.
    await (reloaded ?? server).stop();
    return start();
  }

  /** Undefined where there is nothing to reload, or what there is no longer answers. */
  async #reloaded(): Promise<Server | undefined> {
    const reloadable = this.#reloadable;
    this.#reloadable = undefined;
    try {
      return await reloadable?.reload(this.#variant);
    } catch (error) {
      const refused = error instanceof StartError && error.exited;
      if (refused) this.#reloadable = reloadable;
      else await reloadable?.stop();
      // A target that stopped answering is started anew, which shows whether the configuration is the reason.
      if (refused || !(error instanceof StartError || error instanceof HarnessError)) throw error;
      return undefined;
    }
  }

  /** Turns to another configuration; a running target that cannot load it is stopped. */
  async turnTo(variant: VariantName): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    this.#server = undefined;
    if (server?.reloads === true && server.ending === undefined) this.#reloadable = server;
    else await server?.stop();
    this.#variant = variant;
    this.#givenUp = undefined;
  }

  /**
   * Undefined while the target answers. One look at a time, however many cases ask: those that ask during one share the
   * next, as what ended the target may have come behind the first.
   */
  async healthProblem(): Promise<HealthProblem | undefined> {
    if (this.#look === undefined) return (this.#look = this.#lookNow().finally(() => (this.#look = undefined)));
    this.#next ??= this.#look
      .finally(() => (this.#next = undefined))
      .then((problem) => problem ?? this.healthProblem());
    return this.#next;
  }

  async #lookNow(): Promise<HealthProblem | undefined> {
    if (this.#givenUp !== undefined) return { what: "the target is gone", stderrTail: "" };
    // A failed start is its caller's to tell.
    const server = await this.#server?.catch(() => undefined);
    const { signal, target } = this.#of.context;
    if (server === undefined || signal.aborted) return undefined;
    // Less time for a target that has just kept silent, unless the kit cannot start another in its place.
    const isAsked = this.#silent === server && canRestart(target);
    const problem = await problemOf(server, isAsked ? AGAIN_MS : PROBE_TIMEOUT_MS, signal);
    this.#silent = problem && server;
    if (problem === undefined) return undefined;
    const { what, isGone } = problem;
    if (isGone && !signal.aborted) this.#of.watch.gone(server, what);
    return { what, stderrTail: lastLinesOf(server.stderrTail, SHOWN_LOG_LINES).join(" | ") };
  }

  /** A last look, when nothing is sent any more: what ends a target may do so a moment behind its answer. */
  async lastLook(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    if (server === undefined || this.#of.context.signal.aborted) return;
    // A target that ended does not answer the call.
    if (server.isDriven) await server.control?.advance(MOMENT_MS).catch(() => {});
    await endingOf(server, performance.now() + MOMENT_MS);
    await this.healthProblem();
  }

  /** Stops a target that died and starts a new one; answers why it is given up instead. */
  async replace(): Promise<string | undefined> {
    await this.stop();
    this.#givenUp ??= canRestart(this.#of.context.target) ? this.#of.budget.restart() : GONE;
    if (this.#givenUp !== undefined) return this.#givenUp;
    try {
      await this.ensureRunning();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#givenUp = GONE;
    }
    return this.#givenUp;
  }

  /** Stops the target for good: a case that is still running cannot start another one. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await (await server?.catch(() => undefined))?.stop();
    await this.#reloadable?.stop();
    this.#reloadable = undefined;
  }
}

const ended = (ending: string) => ({ what: `the target ended (${ending})`, isGone: true });

/** How the target ended, or that it hangs; undefined while it answers. `isGone`: nothing listens any more. */
async function problemOf(server: Server, mostMs: number, signal: AbortSignal) {
  if (server.ending !== undefined) return ended(server.ending);
  // At a breakpoint it answers nobody, and the breakpoint is for the requests of the case.
  if (server.target.isInspected === true) return undefined;
  const probe = validRequest(probeOf(server), { action: "find_latest_flow" });
  const deadline = performance.now() + EXIT_DELAY_MS;
  const timeoutMs = Math.min(mostMs, server.target.requestTimeoutMs);
  const upload = await Upload.open(server.origin, probe, { from: HOME_ADDRESS, timeoutMs });
  const exchange = await untilAborted(signal, upload.finish(), () => upload.abort()).catch(() => undefined);
  if (exchange === undefined || exchange.answer !== undefined) return undefined;
  const ending = await endingOf(server, deadline);
  if (ending !== undefined) return ended(ending);
  const isGone = exchange.fault === "connection refused";
  return { what: `the target no longer answers (${describe(exchange)})`, isGone };
}

/** How the target ended, once that is reported. */
async function endingOf(server: Server, deadline: number): Promise<string | undefined> {
  while (server.ending === undefined && performance.now() < deadline) await delay(20);
  return server.ending;
}

async function learnFrom(
  server: Server,
  { target, profile, signal }: RunContext,
  known: HostParts["standard"],
): Promise<void> {
  const driven = server.isDriven;
  const servesProbe = server.configuration.routes.has(specialRoutes.probe.id);
  const cheapBody = servesProbe ? await findCheapestBody(server, profile) : createFlow();
  const standard = (await known) ?? (await learnFacts(server, cheapBody));
  // A target that was not started for this run may still count the requests of an earlier one.
  const first = canRestart(target) ? 0 : randomInt(ADDRESS_BLOCKS) * ADDRESS_BLOCKS;
  const addresses = standard.addresses && new Addresses(first);
  let drivenMs = 0;
  const pass = async (ms: number) => {
    drivenMs += ms;
    if (driven) await server.control?.advance(ms);
    else await delay(ms, undefined, { signal });
  };
  const now = () => (driven ? drivenMs : performance.now());
  const { toldApart, inFlightToldApart } = standard;
  server.lanes = lanePool(toldApart ? addresses : undefined, pass, now, toldApart && !inFlightToldApart);
  server.facts = { ...standard, profile, cheapBody, addresses, driven };
}
