/** Keeps one instance of the target running for a group of cases: starts it when first needed, replaces it when it dies. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createFlow } from "../interface/bodies.ts";
import { validRequest } from "../interface/request.ts";
import { StartError } from "../foundation/start-error.ts";
import type { Facts, StandardFacts } from "../harness/facts.ts";
import { describe } from "../http/exchange.ts";
import { HarnessError } from "../http/harness-error.ts";
import { Upload } from "../http/upload.ts";
import { Instance } from "../targets/instance.ts";
import type { Keyring } from "../targets/keyring.ts";
import { Addresses, HOME_ADDRESS, LanePool } from "../targets/lanes.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import type { Clock } from "../targets/launch.ts";
import { canRestart } from "../targets/target-file.ts";
import type { VariantName } from "../targets/variants.ts";
import type { RunContext } from "./context.ts";
import type { Watch } from "./watch.ts";
import { cheapestBody, PROBE_TIMEOUT_MS, probeOf, standardFacts } from "./probe.ts";

/** A run on a target that already runs picks one of this many blocks of addresses at random; each block has this size. */
const ADDRESS_BLOCKS = 2000;
/** A target that dies more often in one run is given up. */
const MAX_RESTARTS = 12;
/** So is one whose restarts take longer in all, unless that is few of its starts, ms. */
const [RESTARTS_MS, RESTARTS_STARTS] = [60_000, 6];
/** The system may close a dead process's sockets this long before its exit is reported, ms. */
const EXIT_DELAY_MS = 500;
/** How many lines of a dead target's log are shown. */
const SHOWN_LOG_LINES = 10;

const GONE = "the target is gone and was not started again";

export interface RunningTarget {
  readonly instance: Instance;
  readonly facts: Facts;
  readonly lanes: LanePool;
}

/** What is wrong with a target that no longer answers. */
export interface HealthProblem {
  /** How the target ended, or that it hangs: the same text in every run. */
  readonly what: string;
  /** The end of what the target wrote to stderr, not redacted. */
  readonly stderrTail: string;
}

/** The restarts of all hosts of a run: each costs a start, and the cases that were running are tried again. */
export class Restarts {
  #times = 0;
  #ms = 0;

  /** `ms`: how long the replacement took. */
  spend(ms: number): void {
    this.#times += 1;
    this.#ms += ms;
  }

  /** Why no target is started again; undefined while one may be. `startMs`: how long the first start took. */
  refusal(startMs: number): string | undefined {
    const isOver = this.#times >= MAX_RESTARTS || this.#ms > Math.max(RESTARTS_MS, RESTARTS_STARTS * startMs);
    return isOver ? `the target had to be started again ${this.#times} times in this run: it is given up` : undefined;
  }
}

export interface HostParts {
  readonly context: RunContext;
  readonly watch: Watch;
  readonly variant: VariantName;
  /** Where the target takes the clock that it shall have. */
  readonly clock?: Clock | undefined;
  /** For a host beside the first one: what the target shows there, which may be learned while this one starts. */
  readonly standard?: StandardFacts | Promise<StandardFacts> | undefined;
  readonly restarts?: Restarts;
  /** Where the host gets its target from, if that can load another configuration, and leaves it. */
  readonly spare?: Spare | undefined;
}

/** A running target that loads one configuration after the other: a new process for each would take longer. */
export class Spare {
  #instance: Instance | undefined;

  /** Keeps a target that can load another configuration; stops any other. */
  async keep(instance: Instance): Promise<void> {
    if (instance.ending !== undefined || !instance.reloads) return instance.stop();
    this.#instance = instance;
  }

  /** The target with this variant; undefined where there is none. Throws `StartError` where it refuses the variant. */
  async reload(variant: VariantName, keyring: Keyring): Promise<Instance | undefined> {
    const instance = this.#instance;
    this.#instance = undefined;
    if (instance === undefined) return undefined;
    try {
      return await instance.reload(variant, keyring);
    } catch (error) {
      if (error instanceof StartError && error.exited) {
        this.#instance = instance;
        throw error;
      }
      await instance.stop();
      // It no longer answers: a new one shows whether that is the configuration's fault. Else the run was broken off.
      if (error instanceof StartError || error instanceof HarnessError) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#instance?.stop();
    this.#instance = undefined;
  }
}

export class Host {
  readonly #of: HostParts;
  readonly #restarts: Restarts;
  #standard: HostParts["standard"];
  #running: Promise<RunningTarget> | undefined;
  #startMs = 0;
  #givenUp: string | undefined;
  #closed = false;

  constructor(parts: HostParts) {
    this.#of = parts;
    this.#standard = parts.standard;
    this.#restarts = parts.restarts ?? new Restarts();
  }

  /** Time of the last start, ms. */
  get startMs(): number {
    return this.#startMs;
  }

  /** The running target, started at the first call; a failed start is not repeated. Throws `StartError`. */
  async ensureRunning(): Promise<RunningTarget> {
    if (this.#closed) throw new StartError("the run is over");
    this.#running ??= this.#start();
    return this.#running;
  }

  async #start(): Promise<RunningTarget> {
    const started = performance.now();
    const onStarted = () => (this.#startMs = performance.now() - started);
    const running = await start(this.#of, { standard: this.#standard, onStarted });
    this.#standard = running.facts;
    return running;
  }

  /** Undefined while the target answers. */
  async healthProblem(): Promise<HealthProblem | undefined> {
    if (this.#givenUp !== undefined) return { what: "the target is gone", stderrTail: "" };
    // A failed start is its caller's to tell.
    const running = await this.#running?.catch(() => undefined);
    if (running === undefined) return undefined;
    const { instance } = running;
    const problem = await problemOf(instance);
    if (problem === undefined) return undefined;
    const { what, isGone } = problem;
    if (isGone && !this.#of.context.signal.aborted) this.#of.watch.gone(instance, what);
    return { what, stderrTail: lastLines(instance.stderrTail) };
  }

  /** Stops a target that died and starts a new one; answers why it is given up instead. */
  async replace(): Promise<string | undefined> {
    const began = performance.now();
    await this.stop();
    this.#givenUp ??= canRestart(this.#of.context.target) ? this.#restarts.refusal(this.#startMs) : GONE;
    if (this.#givenUp !== undefined) return this.#givenUp;
    try {
      await this.ensureRunning();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#givenUp = GONE;
    } finally {
      this.#restarts.spend(performance.now() - began);
    }
    return this.#givenUp;
  }

  /** Stops the target for good: a case that is still running cannot start another one. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
  }

  async stop(): Promise<void> {
    await (await this.#taken())?.stop();
  }

  /** Ends the host's part: its target is kept for another configuration, or stopped. */
  async release(): Promise<void> {
    const instance = await this.#taken();
    if (instance !== undefined) await (this.#of.spare === undefined ? instance.stop() : this.#of.spare.keep(instance));
  }

  async #taken(): Promise<Instance | undefined> {
    const running = this.#running;
    this.#running = undefined;
    return (await running?.catch(() => undefined))?.instance;
  }
}

const ended = (ending: string) => ({ what: `the target ended (${ending})`, isGone: true });

/** How the target ended, or that it hangs; undefined while it answers. `isGone`: nothing listens any more. */
async function problemOf(instance: Instance): Promise<{ what: string; isGone: boolean } | undefined> {
  if (instance.ending !== undefined) return ended(instance.ending);
  const probe = validRequest(probeOf(instance), { action: "find_latest_flow" });
  const deadline = Date.now() + EXIT_DELAY_MS;
  const timeoutMs = Math.min(PROBE_TIMEOUT_MS, instance.target.requestTimeoutMs);
  const upload = await Upload.open(instance.origin, probe, { from: HOME_ADDRESS, timeoutMs });
  const exchange = await upload.finish();
  if (exchange.answer !== undefined) return undefined;
  const ending = await endingOf(instance, deadline);
  if (ending !== undefined) return ended(ending);
  const isGone = exchange.fault === "connection refused";
  return { what: `the target no longer answers (${describe(exchange)})`, isGone };
}

/** How the target ended, once that is reported. */
async function endingOf(instance: Instance, deadline: number): Promise<string | undefined> {
  while (instance.ending === undefined && Date.now() < deadline) await delay(20);
  return instance.ending;
}

/** The end of a log, on one line. */
function lastLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .slice(-SHOWN_LOG_LINES)
    .join(" | ");
}

interface StartParts {
  readonly standard: HostParts["standard"];
  /** Called once the target is ready. */
  readonly onStarted: () => void;
}

async function start({ context, variant, clock, spare, watch }: HostParts, parts: StartParts): Promise<RunningTarget> {
  const { target, keyring, profile, signal } = context;
  const instance =
    (await spare?.reload(variant, keyring)) ?? (await Instance.start({ target, variant, keyring, clock, signal }));
  instance.client.onSurplus = (exchange) => watch.surplus(instance, exchange);
  parts.onStarted();
  try {
    const driven = instance.isDriven;
    const servesProbe = instance.configuration.routes.has(specialRoutes.probe.id);
    const cheapBody = servesProbe ? await cheapestBody(instance, profile) : createFlow();
    const standard = (await parts.standard) ?? (await standardFacts(instance, cheapBody));
    // A target that was not started for this run may still count the requests of an earlier one.
    const first = canRestart(target) ? 0 : randomInt(ADDRESS_BLOCKS) * ADDRESS_BLOCKS;
    const addresses = standard.addresses && new Addresses(first);
    let drivenMs = 0;
    const pass = async (ms: number) => {
      drivenMs += ms;
      if (driven) await instance.control?.advance(ms);
      else await delay(ms, undefined, { signal });
    };
    const now = () => (driven ? drivenMs : Date.now());
    const { toldApart, inFlightToldApart } = standard;
    const lanes = new LanePool(toldApart ? addresses : undefined, pass, now, toldApart && !inFlightToldApart);
    return { instance, facts: { ...standard, profile, cheapBody, addresses, driven }, lanes };
  } catch (error) {
    await instance.stop();
    throw error;
  }
}
