/** What is made, learned or asked once for each server of a target. */
import type { Server } from "./server.ts";

export function perServer<T>(make: (server: Server) => T): (server: Server) => T {
  const made = new WeakMap<Server, T>();
  return (server) => {
    const known = made.get(server) ?? make(server);
    made.set(server, known);
    return known;
  };
}
