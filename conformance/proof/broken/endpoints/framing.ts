/** Section 4: servers that repair what no request of HTTP/1.1 is, or wait for a body that they should ask for. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { perStart, withStage } from "../../changes.ts";
import { isChunked } from "../../limit-books.ts";
import { allFailing, failing, type Change, type Subject } from "../../subject.ts";

export const serverOf = (socket: Socket): Server => (socket as Socket & { server: Server }).server;

/** Changes the HTTP server of the gateway, once a request has come. */
const withServer = (change: (server: Server) => void): Change =>
  perStart(() => {
    const known = new WeakSet<Server>();
    return withStage("method", ({ request }, right) => {
      const server = serverOf(request.socket);
      if (!known.has(server)) change(server);
      known.add(server);
      return right();
    });
  });

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Another way to take requests with Expect. `asks` sends 100 Continue before the plugin runs; `runs` does not. */
const expecting = (take: (asks: Listener, runs: Listener) => Listener): Change =>
  withServer((server) => {
    const [asks, runs] = [server.listeners("checkContinue")[0], server.listeners("request")[0]] as [Listener, Listener];
    server.removeAllListeners("checkContinue").on("checkContinue", take(asks, runs));
  });

/** What the parser refuses and this fits is carried out: the first object in it, or the last, at the path in its head. */
const repairs = ([fits, at]: readonly [fits: RegExp, at: 0 | -1]): Change =>
  withServer((server) =>
    server.on("clientError", ({ rawPacket }: Error & { rawPacket?: Buffer }, socket: Socket) => {
      const text = rawPacket?.toString("latin1") ?? "";
      const [, path = ""] = /^POST (\S+)/.exec(text) ?? [];
      const [, authorization = ""] = /^authorization: (.*)\r$/m.exec(text) ?? [];
      const body = text.match(/\{[^}]*\}/g)?.at(at);
      const { port } = server.address() as AddressInfo;
      const headers = { authorization, "content-type": "application/json" };
      const origin = `http://127.0.0.1:${port}`;
      if (fits.test(text) && body !== undefined)
        void fetch(origin + path, { method: "POST", headers, body }).finally(() => socket.destroy());
      else socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    }),
  );

/** Connections that stay open behind such requests. */
const staysOpen = (fits: (request: IncomingMessage) => boolean): Change =>
  withStage("method", ({ request, response }, right) => {
    if (fits(request)) response.shouldKeepAlive = true;
    return right();
  });

export const framing: readonly Subject[] = [
  ...allFailing("BODY-FRAMING", repairs, {
    "Of two lengths one is believed": [/content-length: \d+\r\ncontent-length/, 0],
    "A length is read up to its first letter": [/content-length: \d+a\r/, 0],
    "A length may have a sign": [/content-length: \+/, 0],
    "A header's name may have a blank behind it": [/content-length :/, 0],
    "A coding that is not known is taken for none": [/gzip/, 0],
    "A chunk without a size ends the body, and the next request is read from there": [/\r\nzz\r/, -1],
    "A chunk's size may begin with 0x": [/\r\n0x/, 0],
    "A chunk's size may have underscores between its digits": [/\r\n[0-9a-f]+_/, 0],
    "What is more than a chunk's size is passed over": [/\}zz\r/, 0],
    "Beside chunks the length is believed": [/chunked\r\n(?:.+\r\n)*content-length/, -1],
  }),
  ...failing({
    "EXPECT-ANSWERED: 100 Continue is never sent, and the body waited for": expecting((_asks, runs) => runs),
    "EXPECT-ANSWERED: 100 Continue is sent for bodies with a length alone": expecting(
      (asks, runs) => (request, response) => (isChunked(request) ? runs : asks)(request, response),
    ),
    "EXPECT-ANSWERED: An expectation in capitals is none that the server knows": expecting(
      (asks) => (request, response) => {
        if (request.headers.expect === "100-continue") asks(request, response);
        else response.writeHead(417).end();
      },
    ),
    "CONNECTION-CLOSED: A connection stays open though its client is done with it": staysOpen(
      ({ headers }) => headers.connection === "close",
    ),
    "CONNECTION-CLOSED: A connection of HTTP/1.0 stays open": staysOpen(({ httpVersion }) => httpVersion === "1.0"),
  }),
];
