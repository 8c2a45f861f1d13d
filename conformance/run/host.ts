/** Keeps one instance alive for a group of cases: starts it when first needed, again when it died, stops it at the end. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createFlow } from "../../fixtures/bodies.ts";
import {
  validRequest,
  withBody,
  withHeader,
  withMethod,
  type ActionBody,
  type Request,
} from "../../fixtures/request.ts";
import { isLoopback } from "../http/endpoint.ts";
import { describe, isAccepted } from "../http/exchange.ts";
import { Upload } from "../http/upload.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Keyring } from "../targets/keyring.ts";
import { Instance } from "../targets/instance.ts";
import { Addresses, HOME_ADDRESS, LanePool } from "../targets/lanes.ts";
import { IN_FLIGHT } from "../interface/limits.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import { StartError } from "../foundation/start-error.ts";
import { canRestart, type Target } from "../targets/target-file.ts";
import type { VariantName } from "../targets/variants.ts";
import type { Facts, StandardFacts } from "../harness/facts.ts";

/** Runs on one target begin at one of so many addresses, so many apart. */
const SPREAD = 2000;
/** A target that does not answer this fast to a plain request is taken for stuck, at most, ms. */
const ALIVE_TIMEOUT_MS = 5000;
/** A target that dies again and again is given up. */
const MAX_RESTARTS = 12;
/** The system may close a dead target's sockets this long before it tells how the process ended, ms. */
const ENDING_WAIT_MS = 500;
/** Of the log of a target that died: where a crash is told. */
const LAST_LINES = 10;

export interface Standing {
  readonly instance: Instance;
  readonly facts: Facts;
  readonly lanes: LanePool;
}

/** What is wrong with a target that no longer answers. */
export interface Ailment {
  /** How it ended or that it is stuck: the same from run to run. */
  readonly what: string;
  /** The end of what it wrote to stderr, secrets still in it. */
  readonly lastWords: string;
}

export interface HostOptions {
  readonly target: Target;
  readonly variant: VariantName;
  readonly keyring: Keyring;
  readonly profile: Profile;
  readonly signal: AbortSignal;
  /** For another configuration: what the standard one showed. */
  readonly standard?: StandardFacts;
}

export class Host {
  readonly #options: HostOptions;
  #standing: Promise<Standing> | undefined;
  #restarts = 0;
  #givenUp = false;
  #closed = false;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** The running target, one for everybody who asks; a start that failed is not tried again. Throws `StartError`. */
  async standing(): Promise<Standing> {
    if (this.#closed) throw new StartError("the run is over");
    this.#standing ??= stand(this.#options);
    return this.#standing;
  }

  /** Undefined while the target is well. */
  async ailment(): Promise<Ailment | undefined> {
    if (this.#givenUp) return { what: "the target is gone", lastWords: "" };
    const standing = await this.#standing;
    if (standing === undefined) return undefined;
    const what = await ailmentOf(standing.instance);
    return what === undefined ? undefined : { what, lastWords: lastLines(standing.instance.stderrTail) };
  }

  /** Stops what is left of a target that died and brings a new one up; false when it is given up. */
  async replace(): Promise<boolean> {
    this.#restarts += 1;
    await this.stop();
    this.#givenUp ||= !canRestart(this.#options.target) || this.#restarts > MAX_RESTARTS;
    if (this.#givenUp) return false;
    try {
      await this.standing();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#givenUp = true;
    }
    return !this.#givenUp;
  }

  /** Stops the target for good: a case that is still under way brings up no other. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
  }

  async stop(): Promise<void> {
    const standing = this.#standing;
    this.#standing = undefined;
    const started = await standing?.catch(() => undefined);
    await started?.instance.stop();
  }
}

/** How the target ended or that it is stuck; undefined while it is well. */
async function ailmentOf(instance: Instance): Promise<string | undefined> {
  if (instance.ending !== undefined) return `the target ended (${instance.ending})`;
  const probe = validRequest(probeOf(instance), { action: "find_latest_flow" });
  const deadline = Date.now() + ENDING_WAIT_MS;
  const timeoutMs = Math.min(ALIVE_TIMEOUT_MS, instance.target.requestTimeoutMs);
  const upload = await Upload.open(instance.origin, probe, { from: HOME_ADDRESS, timeoutMs });
  const exchange = await upload.finish();
  if (exchange.answer !== undefined) return undefined;
  const ending = await endingOf(instance, deadline);
  return ending === undefined ? `the target no longer answers (${describe(exchange)})` : `the target ended (${ending})`;
}

/** Of a log, on one line. */
function lastLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .slice(-LAST_LINES)
    .join(" | ");
}

/** How the target ended, which shows a moment after its sockets are closed. */
async function endingOf(instance: Instance, deadline: number): Promise<string | undefined> {
  while (instance.ending === undefined && Date.now() < deadline) await new Promise((wake) => setTimeout(wake, 20));
  return instance.ending;
}

async function stand({ target, variant, keyring, profile, signal, standard }: HostOptions): Promise<Standing> {
  const instance = await Instance.start({ target, variant, keyring, signal });
  try {
    const driven = instance.control?.capabilities.has("clock") === true;
    const servesProbe = instance.configuration.routes.has(specialRoutes.probe.id);
    const known = standard ?? (await standardFacts(instance));
    const spread = servesProbe ? await howAddressesSpread(instance, known.accepts) : "no addresses";
    // A target that was not started for this run may still count what another run sent a moment ago.
    const start = canRestart(target) ? 0 : randomInt(SPREAD) * SPREAD;
    const addresses = spread === "no addresses" ? undefined : new Addresses(start);
    const cheapBody = servesProbe ? await cheapestBody(instance, profile) : createFlow();
    const pass = async (ms: number) => {
      if (driven) await instance.control?.advance(ms);
      else await delay(ms, undefined, { signal });
    };
    let passed = 0;
    const now = () => (driven ? passed : Date.now());
    const lanes = new LanePool(
      spread === "told apart" ? addresses : undefined,
      async (ms) => ((passed += ms), pass(ms)),
      now,
    );
    const toldApart = spread === "told apart";
    const facts = { profile, cheapBody, addresses, toldApart, driven, ...known };
    return { instance, facts, lanes };
  } catch (error) {
    await instance.stop();
    throw error;
  }
}

function probeOf(instance: Instance) {
  return instance.configuration.routes.get(specialRoutes.probe.id) ?? { path: "/", secret: "" };
}

/** Whether the target accepts what is right and refuses anything at all: else no answer of it proves anything. */
async function standardFacts(instance: Instance): Promise<StandardFacts> {
  const right = validRequest(probeOf(instance), createFlow("probe"));
  const send = (request: Request) => instance.client.send(request, HOME_ADDRESS);
  const wrong = [
    withHeader(right, "authorization", "Bearer wrong"),
    withMethod(right, "PUT"),
    withHeader(right, "content-type", "text/plain"),
    withBody(right, "{"),
  ];
  const accepts = isAccepted(await send(right));
  for (const request of wrong) {
    if (!isAccepted(await send(request))) return { accepts, refuses: true };
  }
  return { accepts, refuses: false };
}

/**
 * An accepted request that stores nothing is best; creating a flow is what the interface itself shows. It is sent on
 * routes without a flow, too, where a target may have no latest one to find.
 */
async function cheapestBody(instance: Instance, profile: Profile): Promise<ActionBody> {
  const reads: ActionBody[] = [
    { action: "get_flow", [profile.fields.getFlowId]: "no-such-flow" },
    { action: "list_flows" },
  ];
  for (const body of reads) {
    if (isAccepted(await instance.client.send(validRequest(probeOf(instance), body), HOME_ADDRESS))) return body;
  }
  return createFlow();
}

/** Whether the kit can send from addresses of its own, and whether the target has a limit for each of them. */
type Spread = "no addresses" | "taken for one" | "told apart";

/**
 * Holds eight requests from one address: where a ninth from there is refused and one from another address is not, keys
 * are told apart. Where a ninth is let in, the limit is broken, not the addresses.
 */
async function howAddressesSpread(instance: Instance, accepts: boolean): Promise<Spread> {
  if (!isLoopback(new URL(instance.origin).hostname)) return "no addresses";
  // On a busy machine an answer may be lost; a run without addresses would judge less.
  for (const first of ["127.0.1.1", "127.0.1.3", "127.0.1.5"]) {
    const spread = await spreadFrom(instance, first, accepts);
    if (spread !== "no addresses") return spread;
  }
  return "no addresses";
}

async function spreadFrom(instance: Instance, first: string, accepts: boolean): Promise<Spread> {
  const second = "127.0.1.2";
  const request = validRequest(probeOf(instance), createFlow("probe of addresses"));
  const timeoutMs = ALIVE_TIMEOUT_MS;
  const held: Upload[] = [];
  try {
    for (let index = 0; index < IN_FLIGHT; index += 1) {
      held.push(await Upload.open(instance.origin, request, { from: first, timeoutMs }));
    }
    const ninth = await instance.client.send(request, first);
    if (ninth.answer === undefined) return "no addresses";
    if (isAccepted(ninth)) return "told apart";
    const other = await instance.client.send(request, second);
    if (other.answer === undefined) return "no addresses";
    if (isAccepted(other)) return "told apart";
    // A target that refuses everybody says nothing of addresses.
    return accepts ? "taken for one" : "told apart";
  } finally {
    for (const upload of held) upload.abort();
  }
}
