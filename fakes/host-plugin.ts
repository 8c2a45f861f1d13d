/** A plugin in the in-memory gateway, inside this process: the quick way to judge one while it is written. */
import type { Clock } from "../plugin/ports.ts";
import { createDrivenClock, systemClock } from "./clock.ts";
import { startGatewayWithControl } from "./control.ts";
import type { LoadablePlugin } from "./gateway.ts";
import { launchInProcess, type Hosted, type HostedInput } from "./in-process.ts";
import { createManagedFlows, type RuntimeKind } from "./managed-flows.ts";

export type { Clock, GatewayApi, GatewayPlugin } from "../plugin/ports.ts";
export type { LoadablePlugin } from "./gateway.ts";
export type { RuntimeKind } from "./managed-flows.ts";
export type { Hosted, HostedInput } from "./in-process.ts";

/**
 * A target's `launch`. Given a plugin, time is real. Given a function that makes one from a clock (milliseconds since
 * the epoch and timers), the clock is driven, so that a minute's window takes no minute; each configuration gets a
 * plugin of its own. Flows are kept in memory. `runtime`: what the plugin's runtime checks by itself; `bare`, the
 * default, leaves the states of flows to the plugin, as observed gateways do.
 */
export function hostPlugin(
  plugin: LoadablePlugin | ((clock: Clock) => LoadablePlugin),
  { runtime = "bare" }: { readonly runtime?: RuntimeKind } = {},
): (input: HostedInput) => Promise<Hosted> {
  return launchInProcess(async (given) => {
    const drivenClock = typeof plugin === "function" ? createDrivenClock() : undefined;
    const clock = drivenClock?.clock ?? systemClock;
    const { gateway, control, close } = await startGatewayWithControl({
      ...given,
      plugin: typeof plugin === "function" ? plugin(clock) : plugin,
      clock,
      flows: createManagedFlows({ clock, kind: runtime }),
      port: 0,
      controlPort: 0,
      drivenClock,
    });
    return { origin: gateway.url, control: control?.url, stop: close };
  });
}
