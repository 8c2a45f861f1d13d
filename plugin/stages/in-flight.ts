import { reject } from "../answer.ts";
import { onConnectionClose } from "../connection.ts";
import type { Stage } from "../contract.ts";

/** Takes a slot until the response finishes or the connection closes, whichever comes first. */
export const inFlight: Stage = {
  name: "in-flight",
  run(exchange) {
    const { context, request, response } = exchange;
    const free = context.inFlightLimiter.take(context.parts.clientKey(context.route, request));
    if (free === undefined) return reject("too_many_in_flight");
    const release = (): void => {
      free();
      cancelWatch();
    };
    const cancelWatch = onConnectionClose(request, free);
    response.once("finish", release).once("close", release);
    exchange.releaseSlot = release;
    return undefined;
  },
};
