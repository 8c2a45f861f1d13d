import type { IncomingMessage } from "node:http";
import type { Route } from "./config.ts";

const mappedIpv4 = /^::ffff:(?=[\d.]+$)/i;

/**
 * The key that limits are counted by: the route's canonical path and the client's address. The raw URL and
 * forwarding headers are the caller's to choose, so neither counts.
 */
export function clientKey(route: Route, request: IncomingMessage): string {
  const address = request.socket.remoteAddress ?? "unknown";
  return `${route.canonicalPath} ${address.replace(mappedIpv4, "")}`;
}
