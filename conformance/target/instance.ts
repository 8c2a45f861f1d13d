/** One running target with one configuration: started, ready, and stopped again. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createFlow } from "../../fixtures/bodies.ts";
import { validRequest } from "../../fixtures/request.ts";
import { HarnessError } from "../findings.ts";
import { Client } from "../http/client.ts";
import { describe, envelopeOf, type Exchange } from "../http/exchange.ts";
import { buildConfiguration, fill, writeSecretFiles, type Configuration, type Keyring } from "./configuration.ts";
import { Control } from "./control.ts";
import { HOME_ADDRESS } from "./lanes.ts";
import { freePort, SpawnError, TargetProcess } from "./process.ts";
import { specialRoutes } from "./standard-routes.ts";
import type { Target } from "./target-file.ts";
import { variants, type Variant, type VariantName } from "./variants.ts";

/** The target never got as far as being judged: exit 3. `stderrTail` is what it said. */
export class StartError extends Error {
  readonly stderrTail: string;
  /** The process ended by itself, as a gateway does that refuses its configuration. */
  readonly exited: boolean;

  constructor(message: string, more: { stderrTail?: string | undefined; exited?: boolean } = {}) {
    super(message);
    this.stderrTail = more.stderrTail ?? "";
    this.exited = more.exited ?? false;
  }
}

const POLL_MS = 25;
/** One probe while the target is not ready may last this long, ms. */
const PROBE_TIMEOUT_MS = 2000;

export interface InstanceOptions {
  readonly target: Target;
  readonly variant: VariantName;
  readonly keyring: Keyring;
}

export class Instance {
  readonly target: Target;
  readonly variant: VariantName;
  readonly configuration: Configuration;
  readonly origin: string;
  readonly client: Client;
  readonly stateDir: string;
  readonly control: Control | undefined;
  /** What stood in the way of a plain start: the target answers, but not with the envelope. */
  readonly note: string | undefined;
  readonly #process: TargetProcess | undefined;

  private constructor(parts: Omit<InstanceOptions, "keyring"> & InstanceParts) {
    this.target = parts.target;
    this.variant = parts.variant;
    this.configuration = parts.configuration;
    this.origin = parts.origin;
    this.client = parts.client;
    this.stateDir = parts.stateDir;
    this.control = parts.control;
    this.note = parts.note;
    this.#process = parts.process;
  }

  /** Starts the target with a variant of the standard configuration and waits until it is ready. Throws `StartError`. */
  static async start(options: InstanceOptions): Promise<Instance> {
    const { target, variant, keyring } = options;
    if (target.start === undefined) return Instance.#attach(options);
    const stateDir = await mkdtemp(join(tmpdir(), "webhooks-conformance-"));
    const configuration = buildConfiguration(target, variants[variant], keyring, stateDir);
    let child: TargetProcess | undefined;
    let client: Client | undefined;
    try {
      await writeSecretFiles(configuration.files);
      const config = join(stateDir, "config.json");
      await writeFile(config, `${JSON.stringify(configuration.document, null, 2)}\n`, { mode: 0o600 });
      const [port, controlPort] = [String(await freePort()), String(await freePort())];
      const fields = { config, port, controlPort, stateDir };
      child = await spawnTarget(target.start, target.folder, fields, configuration);
      const origin = `http://${HOME_ADDRESS}:${port}`;
      client = new Client(origin, target.requestTimeoutMs);
      const note = await ready(origin, child, configuration, target.start.readyTimeoutMs, variant);
      const control = target.control === undefined ? undefined : await Control.connect(fill(target.control, fields));
      return new Instance({ target, variant, configuration, origin, client, stateDir, control, note, process: child });
    } catch (error) {
      await client?.close();
      await child?.stop(target.start.stopTimeoutMs);
      await rm(stateDir, { recursive: true, force: true });
      throw error instanceof HarnessError ? new StartError(error.message, { stderrTail: child?.stderrTail }) : error;
    }
  }

  static async #attach({ target, variant, keyring }: InstanceOptions): Promise<Instance> {
    const origin = new URL(target.baseUrl ?? "").origin;
    const configuration = buildConfiguration(target, variants[variant], keyring, "");
    const client = new Client(origin, target.requestTimeoutMs);
    try {
      const note = await ready(origin, undefined, configuration, PROBE_TIMEOUT_MS, variant);
      const control = target.control === undefined ? undefined : await Control.connect(target.control);
      return new Instance({
        target,
        variant,
        configuration,
        origin,
        client,
        stateDir: "",
        control,
        note,
        process: undefined,
      });
    } catch (error) {
      await client.close();
      throw error instanceof HarnessError ? new StartError(error.message) : error;
    }
  }

  /** `exit code 1` once the target's process is gone; undefined while it runs or was not started by the kit. */
  get ending(): string | undefined {
    return this.#process?.ending;
  }

  get stderrTail(): string {
    return this.#process?.stderrTail ?? "";
  }

  /** Stops the target and removes its state. */
  async stop(): Promise<void> {
    await this.client.close();
    await this.#process?.stop(this.target.start?.stopTimeoutMs ?? 0);
    if (this.stateDir !== "") await rm(this.stateDir, { recursive: true, force: true });
  }
}

interface InstanceParts {
  configuration: Configuration;
  origin: string;
  client: Client;
  stateDir: string;
  control: Control | undefined;
  note: string | undefined;
  process: TargetProcess | undefined;
}

async function spawnTarget(
  start: NonNullable<Target["start"]>,
  folder: string,
  fields: Record<string, string>,
  configuration: Configuration,
): Promise<TargetProcess> {
  const [program = "", ...args] = start.command.map((word) => fill(word, fields));
  const extra = Object.fromEntries(Object.entries(start.env).map(([name, value]) => [name, fill(value, fields)]));
  const env: Record<string, string | undefined> = { ...process.env, ...extra, ...configuration.environment };
  for (const name of configuration.absent) delete env[name];
  const cwd = resolve(folder, start.cwd);
  try {
    return await TargetProcess.start({ program, args, cwd, env });
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    throw new StartError(`the start command could not be run: ${program} (in ${start.cwd}): ${error.message}`);
  }
}

/**
 * Ready: the probe route answers with the envelope; with no such route, any HTTP answer. Gives a note for the report
 * where the target answers otherwise until the time is up. Throws `StartError`.
 */
async function ready(
  origin: string,
  child: TargetProcess | undefined,
  configuration: Configuration,
  timeoutMs: number,
  variant: VariantName,
): Promise<string | undefined> {
  const deadline = Date.now() + timeoutMs;
  const client = new Client(origin, Math.min(PROBE_TIMEOUT_MS, timeoutMs));
  const servesProbe = (variants[variant] as Variant).entryEnabled && configuration.routes.has(specialRoutes.probe.id);
  const probe = probeRequest(configuration);
  let last: Exchange | undefined;
  try {
    while (Date.now() < deadline) {
      if (child?.gone === true)
        throw new StartError(`the target ended before it was ready (${child.ending})`, {
          stderrTail: child.stderrTail,
          exited: true,
        });
      last = await client.send(probe, HOME_ADDRESS);
      if (last.answer !== undefined && (!servesProbe || typeof envelopeOf(last)?.ok === "boolean")) return undefined;
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
  } finally {
    await client.close();
  }
  if (last?.answer !== undefined) {
    return `a correct POST to ${probe.path} was answered ${describe(last)}, never with the envelope; judged as it is`;
  }
  const said = last === undefined ? "nothing" : describe(last);
  throw new StartError(`the target gave no HTTP answer on ${origin} within ${timeoutMs} ms (last: ${said})`, {
    stderrTail: child?.stderrTail,
  });
}

function probeRequest(configuration: Configuration) {
  const route = configuration.routes.get(specialRoutes.probe.id);
  return validRequest(route ?? { path: "/plugins/webhooks/probe", secret: "" }, createFlow("probe"));
}
