/** Where a connection to the target goes, and what it is bound to. */

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Left out where the target is not on the loopback: no address there is one of the kit's own. */
  readonly localAddress?: string;
}

/** `origin`: `http://host[:port]`; `from`: the client address to send from, where that can be chosen. */
export function endpointOf(origin: string, from: string): Endpoint {
  const { hostname, port } = new URL(origin);
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  const bound = isLoopback(hostname) ? { localAddress: from } : {};
  return { host, port: port === "" ? 80 : Number(port), ...bound };
}

/** An IPv4 loopback address, the only ones that reach each other from addresses of the kit's own. */
export function isLoopback(hostname: string): boolean {
  return /^127(\.\d+){3}$/.test(hostname);
}
