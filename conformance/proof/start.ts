/** Starts the kit's gateway and control port around a changed plugin, with a clock of its own. */
import { createDrivenClock, systemClock } from "../../fakes/clock.ts";
import { startGatewayWithControl } from "../../fakes/control.ts";
import type { LoadablePlugin } from "../../fakes/gateway.ts";
import { createManagedFlows } from "../../fakes/managed-flows.ts";
import { createWebhooksPlugin, standardParts, type GatewayApi } from "../../plugin/index.ts";
import type { ManagedFlows } from "../../plugin/ports.ts";
import { renumberedFake } from "./runtime.ts";
import type { Change, Document, Origin } from "./subject.ts";

interface SubjectOptions extends Pick<Origin, "configDir" | "env" | "log"> {
  readonly change: Change;
  readonly document: Document;
  /** The document as it is written now. */
  readonly readAgain?: () => Promise<Document>;
  /** 0 takes a free port, here and for the control port. */
  readonly port: number;
  readonly controlPort: number;
  /** Time is the system's, and is not driven. */
  readonly realTime?: boolean | undefined;
}

/** Rejects with the fakes' `StartError` when the configuration is refused. */
export async function startSubject({ change, readAgain, realTime, ...options }: SubjectOptions) {
  const document = change.document?.(structuredClone(options.document)) ?? options.document;
  const driven = createDrivenClock();
  const clock = realTime === true ? systemClock : driven.clock;
  const { awaited, numbering, ...runtime } = change.runtime ?? {};
  const own = createManagedFlows({ clock, ...runtime });
  const flows = numbering ? renumberedFake(own, numbering) : own;
  const managedFlows = awaited ? own.asyncRuntime : own.runtime;
  const plugin = changedPlugin(change, { ...options, document, clock, settle: flows.settle }, managedFlows);
  const { control } = change;
  return startGatewayWithControl({
    ...options,
    document,
    plugin,
    clock,
    flows,
    drivenClock: realTime === true ? undefined : driven,
    readAgain: change.reloads ? readAgain : undefined,
    // A client may be gone before it is answered.
    answersFirst:
      control &&
      ((call, response) =>
        control(
          call,
          response.on("error", () => {}),
        )),
  });
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
