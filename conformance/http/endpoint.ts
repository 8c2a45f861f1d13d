/** Where a connection to the target goes, and the local address that it is bound to. */

interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Absent where the target is not on the loopback: the kit can choose among loopback addresses only. */
  readonly localAddress?: string;
}

/** `origin`: `http://host[:port]`; `from`: the client address to send from, where that can be chosen. */
export function endpointOf(origin: string, from: string): Endpoint {
  const { hostname, port } = new URL(origin);
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  const bound = isLoopback(hostname) ? { localAddress: from } : {};
  return { host, port: port === "" ? 80 : Number(port), ...bound };
}

/** Whether it is an IPv4 loopback address: the kit's own client addresses reach no others. */
export function isLoopback(hostname: string): boolean {
  return /^127(\.\d+){3}$/.test(hostname);
}
