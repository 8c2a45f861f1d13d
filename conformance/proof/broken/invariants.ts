/** What no single case looks at: only an invariant, or every case a little. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { withHandler, withReply } from "../changes.ts";
import { failing, type Change, type Subject } from "../subject.ts";

/** Does something once an answer with this status is out. */
const afterwards = (status: number, act: (request: IncomingMessage) => unknown): Change =>
  withHandler((handler) => (request, response) => {
    response.once("finish", () => {
      if (response.statusCode === status) act(request);
    });
    return handler(request, response);
  });

interface Server {
  close(): void;
  closeAllConnections(): void;
}

/** As a process that ends: nothing listens any more. */
function stopListening({ socket }: IncomingMessage): void {
  const { server } = socket as unknown as { server: Server };
  server.close();
  server.closeAllConnections();
}

export const invariants: readonly Subject[] = [
  ...failing("ALWAYS-UP", {
    "A body that is null is refused as it should be, and then the process ends: an exception in a callback": afterwards(
      400,
      (request) => request.headers["content-length"] === "4" && stopListening(request),
    ),
  }),
  ...failing("ALWAYS-STATED-STATUS", {
    "An unknown action gets 404, with the code of a malformed request": withReply((reply) =>
      reply.text.includes('"error":"action:') ? { ...reply, status: 404 } : reply,
    ),
  }),
  ...failing("ALWAYS-HTTP", {
    "404 has two Content-Lengths: one in bytes, one in characters": withHandler((handler) => (request, response) => {
      const writeHead = response.writeHead.bind(response) as (status: number, headers: unknown) => ServerResponse;
      response.writeHead = ((status: number, headers: Record<string, string | number>) => {
        const lines = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
        return writeHead(status, status === 404 ? [...lines, "Content-Length", "7"] : headers);
      }) as ServerResponse["writeHead"];
      return handler(request, response);
    }),
  }),
];
