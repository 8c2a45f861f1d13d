/** A suite that floods and stalls must not be pointed at another machine by mistake. */
import { UsageError, type Target } from "./target-file.ts";

/** Throws `UsageError` where the target's URLs name another host than this machine or one of `allowed`. */
export function refuseForeignHost(target: Target, allowed: readonly string[]): void {
  const named = [
    ["baseUrl", target.baseUrl] as const,
    ["control", target.control?.replace("{controlPort}", "80")] as const,
  ];
  for (const [field, url] of named) {
    if (url === undefined) continue;
    const { hostname } = new URL(url);
    if (hostname === "localhost" || /^127(\.\d+){3}$/.test(hostname) || allowed.includes(hostname)) continue;
    throw new UsageError(
      hostname === "[::1]"
        ? `${field} names [::1]; the suite sends from IPv4 addresses: let the target listen on 127.0.0.1 and name that`
        : `${field} names ${hostname}, which is not this machine; the suite floods and stalls its target.\n` +
            `If you may do that there: --allow-host ${hostname} (in the library: allowHosts)`,
    );
  }
}
