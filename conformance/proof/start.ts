/** Starts the kit's gateway and control port around a changed plugin, with a clock of its own. */
import { createDrivenClock, systemClock } from "../../fakes/clock.ts";
import { startControl, type Control } from "../../fakes/control.ts";
import { startGateway, type Gateway, type LoadablePlugin } from "../../fakes/gateway.ts";
import { createManagedFlows, type ManagedFlowsFake } from "../../fakes/managed-flows.ts";
import { createWebhooksPlugin, standardParts, type GatewayApi } from "../../plugin/index.ts";
import type { ManagedFlows } from "../../plugin/ports.ts";
import { startControlFront } from "./hostile/control-front.ts";
import { renumberedFake } from "./numbering.ts";
import type { Change, Document, Origin, RuntimeChange } from "./subject.ts";

interface SubjectOptions {
  readonly change: Change;
  readonly document: Document;
  /** The document as it is written now. */
  readonly readAgain?: () => Promise<Document>;
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** 0 takes a free port, here and for the control port. */
  readonly port: number;
  readonly controlPort: number;
  readonly log: (line: string) => void;
  /** Time is the system's, and is not driven. */
  readonly realTime?: boolean | undefined;
}

interface RunningSubject {
  readonly gateway: Gateway;
  readonly control: Control;
  close(): Promise<void>;
}

/** Rejects with the fakes' `StartError` when the configuration is refused. */
export async function startSubject(options: SubjectOptions): Promise<RunningSubject> {
  const { change, configDir, env, port, controlPort, log, realTime } = options;
  const { document, plugin, clock, flows, levers, ...made } = assembled(options);
  const drivenClock = realTime === true ? undefined : made.drivenClock;
  const gateway = await startGateway({ document, configDir, plugin, clock, flows, port, env, log });
  try {
    const ownPort = change.control === undefined ? controlPort : 0;
    const reload = async (environment: Record<string, string | null>): Promise<void> => {
      for (const [name, value] of Object.entries(environment)) {
        if (value === null) delete env[name];
        else env[name] = value;
      }
      await gateway.reload(await options.readAgain?.());
    };
    const own = await startControl({
      port: ownPort,
      flows: levers,
      logs: gateway.logs,
      drivenClock,
      reload: change.reloads && reload,
    });
    const control = change.control === undefined ? own : await startControlFront(own, controlPort, change.control);
    const close = async () => void (await Promise.all([control.close(), gateway.close()]));
    return { gateway, control, close };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** The changed plugin and what is around it, before anything listens. */
export function assembled({ change, configDir, env, log, ...given }: Omit<SubjectOptions, "port" | "controlPort">) {
  const document = change.document?.(structuredClone(given.document)) ?? given.document;
  const drivenClock = createDrivenClock();
  const clock = given.realTime === true ? systemClock : drivenClock.clock;
  const { awaited, numbering, ...runtime } = change.runtime ?? {};
  const flows = createManagedFlows({ clock, ...runtime });
  const levers = numbering ? renumberedFake(flows, numbering) : flows;
  const origin = { document, configDir, env, clock, settle: levers.settle, log };
  const plugin = changedPlugin(change, origin, boundBy(flows, awaited));
  return { document, plugin, drivenClock, clock, flows, levers };
}

/** `awaited`: the calls that answer with a promise; all of them where it is true. */
function boundBy(flows: ManagedFlowsFake, awaited: RuntimeChange["awaited"]): ManagedFlows {
  if (awaited === undefined || awaited === true) return awaited ? flows.asyncRuntime : flows.runtime;
  const bindSession: ManagedFlows["bindSession"] = (session) => {
    const promised = flows.asyncRuntime.bindSession(session);
    const chosen = Object.fromEntries(awaited.map((name) => [name, promised[name]]));
    return { ...flows.runtime.bindSession(session), ...chosen };
  };
  return { bindSession };
}

function changedPlugin(change: Change, origin: Origin, managedFlows: ManagedFlows): LoadablePlugin {
  const parts = change.parts?.(standardParts, origin) ?? standardParts;
  const plugin = createWebhooksPlugin({ clock: origin.clock }, parts);
  const register = (given: GatewayApi) => {
    const api = { ...given, runtime: { tasks: { managedFlows } } };
    plugin.register(change.api?.(api, origin) ?? api);
  };
  return { id: plugin.id, register };
}
