/** Starts the kit's gateway and control port around a changed plugin, with a clock of its own. */
import { createServer, request } from "node:http";
import { createDrivenClock, systemClock } from "../../fakes/clock.ts";
import { startGatewayWithControl, type Control } from "../../fakes/control.ts";
import { closeServer, listen, type LoadablePlugin } from "../../fakes/gateway.ts";
import { createManagedFlows } from "../../fakes/managed-flows.ts";
import { createWebhooksPlugin, standardParts, type GatewayApi } from "../../plugin/index.ts";
import type { ManagedFlows } from "../../plugin/ports.ts";
import { renumberedFake } from "./runtime.ts";
import type { Change, Document, OnControl, Origin } from "./subject.ts";

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

/** Rejects with the fakes' `StartError` when the configuration is refused. */
export async function startSubject({ change, readAgain, controlPort, realTime, ...options }: SubjectOptions) {
  const document = change.document?.(structuredClone(options.document)) ?? options.document;
  const driven = createDrivenClock();
  const clock = realTime === true ? systemClock : driven.clock;
  const { awaited, numbering, ...runtime } = change.runtime ?? {};
  const own = createManagedFlows({ clock, ...runtime });
  const flows = numbering ? renumberedFake(own, numbering) : own;
  const managedFlows = awaited ? own.asyncRuntime : own.runtime;
  const plugin = changedPlugin(change, { ...options, document, clock, settle: flows.settle }, managedFlows);
  const running = await startGatewayWithControl({
    ...options,
    document,
    plugin,
    clock,
    flows,
    controlPort: change.control === undefined ? controlPort : 0,
    drivenClock: realTime === true ? undefined : driven,
    readAgain: change.reloads ? readAgain : undefined,
  });
  const { gateway, control } = running;
  if (control === undefined || change.control === undefined) return running;
  const front = await startControlFront(control, controlPort, change.control);
  return { gateway, control: front, close: async () => void (await Promise.all([front.close(), gateway.close()])) };
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

/** A proxy before a control port, for calls that a subject answers itself: listens on `port` (0: a free one). Calls that `answer` does not take are forwarded to the real control port. */
async function startControlFront(real: Control, port: number, answer: OnControl): Promise<Control> {
  const server = createServer((call, response) => {
    response.on("error", () => {});
    if (answer(call, response)) return;
    const { method = "GET", url = "/", headers } = call;
    const on = request(`${real.url}${url}`, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    on.on("error", () => response.destroy());
    call.pipe(on);
  });
  const taken = await listen(server, port, "127.0.0.1");
  const close = async () => void (await Promise.all([closeServer(server), real.close()]));
  return { port: taken, url: `http://127.0.0.1:${taken}`, close };
}
