/** A target that runs with one configuration: brought up, ready, known, and stopped again. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createFlow } from "../interface/bodies.ts";
import { validRequest } from "../interface/request.ts";
import { HarnessError } from "../http/harness-error.ts";
import { Client } from "../http/client.ts";
import { describe, envelopeOf, type Exchange } from "../http/exchange.ts";
import { buildConfiguration, writeSecretFiles } from "./build-configuration.ts";
import { variableOf, type Keyring } from "./keyring.ts";
import type { Configuration } from "./configuration.ts";
import { connectControl, type Control } from "./control.ts";
import type { Facts } from "./facts.ts";
import { HOME_ADDRESS, type LanePool } from "./lanes.ts";
import { launcherOf, unfilledIn } from "./launcher.ts";
import type { Clock, Launched, LaunchInput } from "./launch.ts";
import { specialRoutes } from "./standard-routes.ts";
import { newStateFolder, removeAtExit, removeStateFolder } from "./state-folder.ts";
import { firstLineOf } from "../foundation/message-of.ts";
import { StartError } from "../foundation/start-error.ts";
import { untilAborted } from "../foundation/until-aborted.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Target } from "./target-file.ts";
import { variants, type Variant, type VariantName } from "./variants.ts";

const POLL_MS = 25;
/** Longest wait for one probe of a target that is starting, and for all probes of one that runs already, ms. */
const PROBE_TIMEOUT_MS = 2000;
/** A gateway that answers, but serves no route within this time, has refused its configuration, ms. */
const REFUSAL_TIMEOUT_MS = 8000;

/** Timeout for an answer of the control port, unless the target file's request timeout is longer, ms. */
const CONTROL_TIMEOUT_MS = 10_000;

interface ServerOptions extends Pick<LaunchInput, "clock"> {
  readonly target: Target;
  readonly variant: VariantName;
  readonly keyring: Keyring;
  /** Ends the wait for a target that is not ready yet, and shortens its stop. */
  readonly signal?: AbortSignal;
}

export class Server {
  readonly target: Target;
  readonly configuration: Configuration;
  readonly client: Client;
  readonly control: Control | undefined;
  readonly stateDir: string;
  /** The target answers, but never with the envelope: a remark for the report. */
  readonly note: string | undefined;
  /** What the run has found out about it, and the lanes that follow from that: set once, before any case runs. */
  facts!: Facts;
  lanes!: LanePool;
  /** How many cases have begun and have ended on it. */
  readonly cases = { begun: 0, ended: 0 };
  /** It was running when it loaded its configuration. */
  readonly isReloaded: boolean;
  /** It has loaded a configuration since cases began: it may keep its counts of before, or begin anew. */
  mayCountOn: boolean;
  readonly #parts: ServerParts;

  private constructor(parts: ServerParts) {
    this.target = parts.target;
    this.configuration = parts.configuration;
    this.client = parts.client;
    this.control = parts.control;
    this.stateDir = parts.stateDir;
    this.note = parts.note;
    this.isReloaded = parts.isReloaded === true;
    this.mayCountOn = parts.mayCountOn === true;
    this.#parts = parts;
  }

  /** Brings the target up with a variant of the standard configuration and waits until it is ready. Throws `StartError`, and the signal's reason. */
  static async start({ target, variant, keyring, clock, signal }: ServerOptions): Promise<Server> {
    const stateDir = await newStateFolder();
    const configuration = buildConfiguration(target, variants[variant], keyring, stateDir);
    let launched: Launched | undefined;
    let client: Client | undefined;
    let control: Control | undefined;
    try {
      const configFile = await writeFiles(configuration, stateDir, target.baseUrl === undefined);
      const launching = launcherOf(target)({ configuration, configFile, stateDir, clock });
      // It may come up yet, once nobody waits for it.
      const stopLate = () => launching.then((late) => late.stop(signal)).catch(() => {});
      launched = await untilAborted(signal, launching, stopLate);
      client = new Client(launched.origin, target.requestTimeoutMs);
      const note = await mustGetReady(launched, configuration, target, variants[variant], signal);
      const timeoutMs = Math.max(target.requestTimeoutMs, CONTROL_TIMEOUT_MS);
      if (launched.control !== undefined)
        control = await connectControl(launched.control, keyring.controlToken, timeoutMs, signal);
      const parts = { target, configuration, keyring, client, control, stateDir, note, launched, signal };
      const server = new Server(parts);
      if (clock !== undefined && server.isDriven !== (clock === "driven")) throw otherClock(clock, launched);
      return server;
    } catch (error) {
      await client?.close();
      await control?.close();
      await launched?.stop(signal);
      await removeStateFolder(stateDir);
      if (error instanceof StartError) error.message += unfilledIn(target);
      if (!(error instanceof HarnessError)) throw error;
      throw new StartError(error.message, { stderrTail: launched === undefined ? "" : lastOutput(launched) });
    }
  }

  /** The kit moves the target's clock. */
  get isDriven(): boolean {
    return this.control?.capabilities.has("clock") === true;
  }

  /** Whether `reload` leaves it as a start would. */
  get reloads(): boolean {
    return this.control?.capabilities.has("reload") === true;
  }

  /**
   * Has the running target load another variant; what comes back takes the place of this server, which is not used any
   * more. Throws `StartError`, with `exited` where the target refused: then this server can load the next one.
   */
  async reload(variant: VariantName): Promise<Server> {
    const { target, stateDir } = this;
    const { keyring, launched, signal } = this.#parts;
    const configuration = buildConfiguration(target, variants[variant], keyring, stateDir);
    await this.#load(configuration);
    const note = await mustGetReady(launched, configuration, target, variants[variant], signal);
    await this.client.close();
    const client = new Client(this.origin, target.requestTimeoutMs);
    const mayCountOn = this.mayCountOn || this.cases.begun > 0;
    return new Server({ ...this.#parts, configuration, client, note, isReloaded: true, mayCountOn });
  }

  /**
   * Has the running target load another variant while `use` lasts, then this one again; `use` gets that variant's routes.
   * Throws `StartError` where the target refuses it.
   */
  async during(variant: VariantName, use: (routes: Configuration["routes"]) => Promise<void>): Promise<void> {
    const configuration = buildConfiguration(this.target, variants[variant], this.#parts.keyring, this.stateDir);
    this.mayCountOn = true;
    try {
      await this.#load(configuration);
      await use(configuration.routes);
    } finally {
      await this.#load(this.configuration);
    }
  }

  async #load(configuration: Configuration): Promise<void> {
    await writeFiles(configuration, this.stateDir);
    // Also those of a configuration that was refused.
    const routes = Object.values(variants).flatMap((variant: Variant) => variant.routes);
    const none = Object.fromEntries(routes.map((route) => [variableOf(route), null]));
    const refused = await this.control?.reload({ ...none, ...configuration.environment });
    if (refused !== undefined) throw new StartError(`the target refused to load it: ${refused}`, { exited: true });
  }

  get origin(): string {
    return this.#parts.launched.origin;
  }

  /** `exit code 1` once the target has ended; undefined while it runs. */
  get ending(): string | undefined {
    return this.#parts.launched.ending;
  }

  get stderrTail(): string {
    return this.#parts.launched.stderrTail;
  }

  /** Stops the target and removes its state. */
  async stop(): Promise<void> {
    await this.client.close();
    await this.control?.close();
    await this.#parts.launched.stop(this.#parts.signal);
    await removeStateFolder(this.stateDir);
  }
}

/** Writes the files that the target reads its configuration and its secrets from; returns the path of the former. */
async function writeFiles({ document, files }: Configuration, stateDir: string, secrets = true): Promise<string> {
  if (secrets) {
    // Other servers of this process may still read what lies outside of the folder.
    const outside = [...files.keys()].filter((path) => !path.startsWith(stateDir) && !existsSync(path));
    await writeSecretFiles(files).catch((error: unknown) => {
      throw new UsageError(`a file of secretSources could not be written: ${firstLineOf(error)}`);
    });
    outside.forEach(removeAtExit);
  }
  const configFile = join(stateDir, "config.json");
  await writeFile(configFile, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  return configFile;
}

interface ServerParts extends Pick<Server, "target" | "configuration" | "client" | "control" | "stateDir" | "note"> {
  readonly keyring: Keyring;
  readonly launched: Launched;
  readonly signal: AbortSignal | undefined;
  readonly isReloaded?: true;
  readonly mayCountOn?: boolean;
}

/**
 * Ready: the probe route answers with the envelope; with no such route, any HTTP answer. Gives a note for the report
 * where the target answers otherwise until the time is up. Throws `StartError`.
 */
async function mustGetReady(
  launched: Launched,
  configuration: Configuration,
  { start, requestTimeoutMs }: Target,
  variant: Variant,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const readyMs = start?.readyTimeoutMs ?? PROBE_TIMEOUT_MS;
  // A target that runs already gets as long as for any other answer.
  const probeMs = start === undefined ? requestTimeoutMs : Math.min(PROBE_TIMEOUT_MS, readyMs);
  const client = new Client(launched.origin, probeMs);
  const servesProbe = variant.entryDisabled !== true && configuration.routes.has(specialRoutes.probe.id);
  const route = configuration.routes.get(specialRoutes.probe.id) ?? { path: "/plugins/webhooks/probe", secret: "" };
  const probe = validRequest(route, createFlow("probe"));
  let [last, answered]: (Exchange | undefined)[] = [];
  let deadline = performance.now() + readyMs;
  try {
    for (; performance.now() < deadline; await delay(POLL_MS)) {
      mustRun(launched);
      last = await untilAborted(signal, client.send(probe, HOME_ADDRESS), () => client.close());
      if (last.answer === undefined) continue;
      if (!servesProbe || typeof envelopeOf(last)?.ok === "boolean") return undefined;
      answered = last;
      if (variant.mayExit === true) deadline = Math.min(deadline, performance.now() + REFUSAL_TIMEOUT_MS);
    }
  } finally {
    await client.close();
  }
  if (answered !== undefined)
    return `a correct POST to ${probe.path} was answered ${describe(answered)}, never with the envelope; judged as it is`;
  const within = start === undefined ? "" : ` within ${readyMs} ms`;
  const came = `(last: ${last === undefined ? "nothing" : describe(last)})`;
  throw new StartError(`the target gave no HTTP answer on ${launched.origin}${within} ${came}`, {
    stderrTail: lastOutput(launched),
  });
}

function mustRun(launched: Launched): void {
  if (launched.ending === undefined) return;
  const stderrTail = lastOutput(launched);
  throw new StartError(`the target ended before it was ready (${launched.ending})`, { stderrTail, exited: true });
}

function otherClock(clock: Clock, launched: Launched): StartError {
  const offers = clock === "driven" ? "offers no clock" : "offers a clock";
  const message = `started with {clock} filled in as ${clock}, the target's control port ${offers}: it has to for driven only`;
  return new StartError(message, { stderrTail: lastOutput(launched) });
}

/** Some servers log to stdout alone. */
function lastOutput({ stderrTail, stdoutTail = "" }: Launched): string {
  return stderrTail.trim() === "" ? stdoutTail : stderrTail;
}
