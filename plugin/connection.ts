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
 * Calls back when the request's connection closes, or at once if it has closed; the function returned cancels. The
 * response's own "close" is not enough: a pipelined response that waits for an earlier one never emits it. Adds one
 * listener per socket, however many requests the socket carries.
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
