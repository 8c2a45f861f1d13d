/** Raw TCP servers that send scripted answers, also malformed ones. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

interface Scripted {
  readonly origin: string;
  readonly port: number;
  /** Everything received, as Latin-1. */
  received(): string;
  connections(): number;
}

/** Calls `answer` once per connection, as soon as `isDue` holds for the bytes received. Closed at the end of the test. */
export async function scripted(answer: (socket: Socket) => void, isDue = hasHead): Promise<Scripted> {
  let received = "";
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let sent = "";
    let answered = false;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      sent += chunk.toString("latin1");
      if (answered || !isDue(sent)) return;
      answered = true;
      answer(socket);
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    received: () => received,
    connections: () => sockets.size,
  };
}

function hasHead(sent: string): boolean {
  return sent.includes("\r\n\r\n");
}
