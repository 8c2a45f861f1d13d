/** A suite that floods and stalls must not be pointed at another machine by mistake. */
import { isLoopback } from "../http/endpoint.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Target } from "./target-file.ts";

/**
 * The same target; its `launch` stops a server that listens on another host, and rejects with `UsageError`. Throws
 * `UsageError` for a URL of the target that is invalid, or whose host is neither this machine nor in `allowed`.
 */
export function refuseForeignHost(target: Target, allowed: readonly string[]): Target {
  const { baseUrl, control, launch } = target;
  refuseForeign({ baseUrl, control }, allowed);
  if (launch === undefined) return target;
  return {
    ...target,
    launch: async (input) => {
      const launched = await launch(input);
      try {
        refuseForeign({ origin: launched.origin, control: launched.control }, allowed);
      } catch (error) {
        await launched.stop();
        throw error;
      }
      return launched;
    },
  };
}

function refuseForeign(urls: Readonly<Record<string, string | undefined>>, allowed: readonly string[]): void {
  for (const [field, named] of Object.entries(urls)) {
    if (named === undefined) continue;
    // The ports are known when the target is started.
    const url = named.replaceAll(/\{(port|controlPort)\}/g, "80");
    if (!URL.canParse(url)) {
      throw new UsageError(
        `${field} is ${named}, which is no URL: expected one such as http://127.0.0.1:${field === "control" ? "{controlPort}" : "8080"}`,
      );
    }
    const { hostname } = new URL(url);
    if (hostname === "localhost" || isLoopback(hostname) || allowed.includes(hostname)) continue;
    throw new UsageError(
      hostname === "[::1]"
        ? `${field} names [::1]; the suite sends from IPv4 addresses: let the target listen on 127.0.0.1 and name that`
        : `${field} names ${hostname}, which is not this machine; the suite floods and stalls its target.\n` +
            `If you may do that there: --allow-host ${hostname} (in the library: allowHosts)`,
    );
  }
}
