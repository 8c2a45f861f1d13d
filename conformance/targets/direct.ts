/**
 * Calls a handler of `node:http` without a socket, for speed: node's own request, a response that keeps what is written,
 * a stand-in for the connection. What lies below a handler is not exercised: the parsing of HTTP, Expect and keep-alive,
 * back-pressure, the server's time-outs, the loss of an answer on its way.
 */
import { IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Request } from "../../fixtures/request.ts";
import { MAX_ANSWER_BYTES } from "../http/gathered.ts";
import type { Exchange } from "../http/exchange.ts";
import { DirectResponse } from "./direct-response.ts";
import { buildConfiguration } from "./build-configuration.ts";
import type { ConfiguredRoute } from "./configuration.ts";
import { answer, handlerSetup, type Handler, type HandlerSetup } from "./handler.ts";
import { freshKeyring } from "./keyring.ts";
import { lanes, standardRoutes, type Lane } from "./standard-routes.ts";
import { checkTarget } from "./target-file.ts";

/** Stands in for a client's socket: carries no bytes, but can be closed from either side. */
class Connection extends Duplex {
  readonly remoteAddress: string;
  readonly remotePort = 50_000;
  readonly remoteFamily = "IPv4";
  readonly encrypted = false;
  /** Called when the connection closes during a request. */
  onLoss: (() => void) | undefined;

  constructor(from: string) {
    super();
    this.remoteAddress = from;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  override _read(): void {}

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.onLoss?.();
    done(error);
  }
}

const CLOSED = "connection closed without a whole answer";

/** A request in progress. */
class DirectCall {
  readonly #request: Request;
  readonly #connection: Connection;
  readonly #message: IncomingMessage;
  readonly #response: DirectResponse;
  readonly #timer: NodeJS.Timeout;
  #resolve: ((exchange: Exchange) => void) | undefined;
  /** Resolves to the whole answer or a fault; never rejects. */
  readonly exchange: Promise<Exchange>;

  constructor(
    handler: Handler,
    request: Request,
    connection: Connection,
    timeoutMs: number,
    log: (text: string) => void,
  ) {
    this.#request = request;
    this.#connection = connection;
    this.#message = messageOf(request, connection);
    const response = new DirectResponse(this.#message);
    this.#response = response;
    this.#timer = setTimeout(() => this.#settle(`no whole answer within ${timeoutMs} ms`), timeoutMs);
    this.exchange = new Promise((resolve) => (this.#resolve = resolve));
    connection.onLoss = () => this.#settle(response.isWhole ? undefined : CLOSED);
    response.once("finish", () => this.#settle()).once("error", () => this.#settle(CLOSED));
    // A handler may throw once its caller has gone.
    const heard = (text: string) => void (connection.destroyed || log(text));
    void answer(handler, this.#message, response as unknown as ServerResponse, heard);
  }

  /** True once the handler has begun to answer. */
  get answered(): boolean {
    return this.#response.headersSent;
  }

  /** Delivers the body and returns the exchange. */
  finish(): Promise<Exchange> {
    const message = this.#message;
    if (!message.destroyed) {
      message.complete = true;
      if (this.#request.body.byteLength > 0) message.push(this.#request.body);
      message.push(null);
    }
    return this.exchange;
  }

  /** The client closes the connection. */
  abort(): void {
    this.#message.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    this.#response.destroy();
    this.#connection.destroy();
  }

  #settle(fault?: string): void {
    this.#resolve?.(this.#ended(fault));
  }

  #ended(fault: string | undefined): Exchange {
    clearTimeout(this.#timer);
    this.#connection.onLoss = undefined;
    const response = this.#response;
    // Discards what the handler left unread, as a server does.
    if (!this.#message.readableEnded) this.#message.resume();
    const sent = { request: this.#request, from: this.#connection.remoteAddress };
    if (fault !== undefined) return { ...sent, fault };
    if (response.isTooLong) return { ...sent, fault: `an answer of more than ${MAX_ANSWER_BYTES} bytes` };
    const { statusCode: status, answerHeaders: headers, answerBody: body } = response;
    return { ...sent, answer: { status, headers, body } };
  }
}

/** Calls one handler from any client address. */
export class DirectClient {
  readonly #handler: Handler;
  readonly #timeoutMs: number;
  readonly #log: (text: string) => void;
  readonly #idle = new Map<string, Connection[]>();

  /** `timeoutMs`: longest wait for one whole answer; `log` receives what the handler throws. */
  constructor(handler: Handler, timeoutMs: number, log: (text: string) => void) {
    this.#handler = handler;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  /** Sends a whole request; a fault is part of the exchange, never thrown. */
  async send(request: Request, from: string): Promise<Exchange> {
    const connection = this.#idle.get(from)?.pop() ?? new Connection(from);
    const exchange = await this.#call(request, connection).finish();
    if (!connection.destroyed) this.#giveBack(connection, exchange);
    return exchange;
  }

  /** Sends the head; `finish` sends the body. */
  hold(request: Request, from: string): DirectCall {
    return this.#call(request, new Connection(from));
  }

  #call(request: Request, connection: Connection): DirectCall {
    return new DirectCall(this.#handler, request, connection, this.#timeoutMs, this.#log);
  }

  #giveBack(connection: Connection, { answer: given }: Exchange): void {
    if (given === undefined || given.headers.get("connection")?.[0]?.toLowerCase() === "close") {
      connection.destroy();
      return;
    }
    const idle = this.#idle.get(connection.remoteAddress);
    if (idle === undefined) this.#idle.set(connection.remoteAddress, [connection]);
    else idle.push(connection);
  }
}

function messageOf(request: Request, connection: Connection): IncomingMessage {
  const message = new IncomingMessage(connection as unknown as Socket);
  message.method = request.method;
  message.url = request.path;
  message.httpVersion = "1.1";
  message.httpVersionMajor = 1;
  message.httpVersionMinor = 1;
  const headers: Record<string, string> = Object.create(null);
  Object.assign(headers, { host: "127.0.0.1", connection: "keep-alive" });
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  if (request.chunked === true) headers["transfer-encoding"] = "chunked";
  else if (request.body.byteLength > 0) headers["content-length"] = String(request.body.byteLength);
  message.headers = headers;
  for (const name in headers) message.rawHeaders.push(name, headers[name] ?? "");
  return message;
}

/** What a handler that is called directly is made from: the routes of one lane, their secrets inline. */
export function laneSetup(stateDir: string): {
  readonly setup: HandlerSetup;
  readonly routes: Readonly<Record<keyof Lane, ConfiguredRoute>>;
} {
  const [lane] = lanes;
  const target = checkTarget({ name: "a handler", start: { command: ["in this process"] } }, ".", "the handler");
  const routes = standardRoutes
    .filter(({ id }) => [lane?.route, lane?.sibling, lane?.stranger].includes(id))
    .map((route) => ({ ...route, secret: "inline" }) as const);
  const variant = { title: "one lane", entryEnabled: true, routes };
  const configuration = buildConfiguration(target, variant, freshKeyring(target.config.sessionKey), stateDir);
  const [route, sibling, stranger] = [...configuration.routes.values()];
  if (route === undefined || sibling === undefined || stranger === undefined) {
    throw new Error("the standard configuration has no lanes");
  }
  return { setup: handlerSetup(configuration, target.config.entryId, stateDir), routes: { route, sibling, stranger } };
}
