/** The HTTP server of the gateway and of the playground. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";

/** A server that sends `100 Continue` when a handler reads the body, so after the handler's checks (RFC 9110, 10.1.1). */
export function httpServer(answer: RequestListener): Server {
  return createServer(answer).on("checkContinue", (request, response) => {
    continueOnRead(request, response);
    answer(request, response);
  });
}

function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  const { _read: read } = request;
  request._read = (size) => {
    request._read = read;
    // Not after an answer, and not for a client that sends the body without waiting for 100.
    if (!response.headersSent && request.readableLength === 0) response.writeContinue();
    read.call(request, size);
  };
}
