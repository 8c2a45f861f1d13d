import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const watched = new WeakMap<Socket, Set<() => void>>();

function watch(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  watched.set(socket, callbacks);
  socket.once("close", () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}

/**
 * Calls back when the request's connection closes, at once if it has; the function returned cancels. A response queued
 * behind another of the same connection never says "close" itself. One listener a socket, however many its requests.
 */
export function onConnectionClose(request: IncomingMessage, callback: () => void): () => void {
  const { socket } = request;
  if (socket.destroyed) {
    callback();
    return () => {};
  }
  const callbacks = watched.get(socket) ?? watch(socket);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}
