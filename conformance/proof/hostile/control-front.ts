/** A proxy before a control port, for calls that a subject answers itself. */
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { Control } from "../../../fakes/control.ts";
import { closeServer, listen } from "../../../fakes/gateway.ts";

export type OnControl = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Listens on `port` (0: a free one). Calls that `answer` does not take are forwarded to the real control port. */
export async function startControlFront(real: Control, port: number, answer: OnControl): Promise<Control> {
  const server = createServer((call, response) => {
    response.on("error", () => {});
    if (answer(call, response)) return;
    const { method = "GET", url = "/", headers } = call;
    const on = request(`${real.url}${url}`, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    on.on("error", () => response.destroy());
    call.pipe(on);
  });
  const taken = await listen(server, port, "127.0.0.1");
  const close = async () => void (await Promise.all([closeServer(server), real.close()]));
  return { port: taken, url: `http://127.0.0.1:${taken}`, close };
}
