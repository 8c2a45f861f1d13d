/** Targets inside this process: a handler that the kit serves over a socket, or code that brings a server up itself. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../foundation/message-of.ts";
import { tailOf } from "../foundation/tail.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { answer, handlerSetup, type Handler, type HandlerFactory } from "./handler.ts";
import { HOME_ADDRESS } from "./lanes.ts";
import { refusedLaunch, type Launch } from "./launch.ts";
import { checkTarget, type Target } from "./target-file.ts";

/** `launch` has been awaited before readiness is probed, so this is short, ms. */
const READY_TIMEOUT_MS = 5000;

/** Checks the target's other fields and returns a target that `launch` brings up. Throws `UsageError`. */
export function inProcessTarget(fields: Record<string, unknown>, launch: Launch): Target {
  const start = { command: ["in this process"], readyTimeoutMs: READY_TIMEOUT_MS };
  return { ...checkTarget({ start, ...fields }, process.cwd(), "the target"), launch };
}

/** Serves a handler on a free loopback port for as long as its configuration is judged. Throws `UsageError`. */
export function launchOfHandler(makeHandler: HandlerFactory, entryId: string): Launch {
  if (typeof makeHandler !== "function") throw new UsageError("the target's handler is no function");
  return async ({ configuration, stateDir }) => {
    let tail = "";
    const log = (text: string) => void (tail = tailOf(`${tail}${text}\n`));
    let handler: Handler;
    try {
      handler = await makeHandler(handlerSetup(configuration, entryId, stateDir));
    } catch (error) {
      return refusedLaunch(`the handler refused its configuration: ${messageOf(error)}`);
    }
    const server = createServer((request, response) => void answer(handler, request, response, log));
    // The handler asks for a body by reading it; node:http would ask before the handler's checks.
    server.on("checkContinue", (request, response) => {
      const { _read: read } = request;
      request._read = (size) => {
        request._read = read;
        if (!response.headersSent && request.readableLength === 0) response.writeContinue();
        read.call(request, size);
      };
      void answer(handler, request, response, log);
    });
    await once(server.listen(0, HOME_ADDRESS), "listening");
    return {
      origin: `http://${HOME_ADDRESS}:${(server.address() as AddressInfo).port}`,
      ending: undefined,
      get stderrTail() {
        return tail;
      },
      async stop() {
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
    };
  };
}
