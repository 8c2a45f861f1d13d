import { createServer, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { createWebhooksPlugin } from "./index.ts";
import { standardParts } from "./standard-parts.ts";
import type { Parts } from "./contract.ts";
import type { BoundFlows } from "./ports.ts";
import { DrivenClock, boundFlows, gatewayStub } from "./stub.test-support.ts";
import type { GatewayStub } from "./stub.test-support.ts";

export const secret = "correct horse";
export const sessionKey = "agent:main:private";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: { ok: boolean; routeId: string; code?: string; error?: string; result: Record<string, unknown> };
}

export interface Sending {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer | object;
}

/** A minimal gateway: exact paths, one plugin, a free port. */
export class TestGateway {
  readonly clock = new DrivenClock();
  readonly stub: GatewayStub;
  readonly server: Server;
  /** The promise of each handler call, in order. */
  readonly handled: Promise<boolean>[] = [];

  private constructor(flows: BoundFlows, parts: Parts, routes: object) {
    this.stub = gatewayStub({ routes }, flows);
    createWebhooksPlugin({ clock: this.clock }, parts).register(this.stub.api);
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://gateway").pathname;
      const route = this.stub.routes.find((entry) => entry.path === path);
      if (route) this.handled.push(route.handler(request, response));
      else response.writeHead(404).end();
    });
  }

  static async start(
    flows: BoundFlows = boundFlows(),
    parts: Partial<Parts> = {},
    routes: object = { orders: { sessionKey, secret } },
  ): Promise<TestGateway> {
    const gateway = new TestGateway(flows, { ...standardParts, ...parts }, routes);
    await new Promise<void>((resolve) => gateway.server.listen(0, "127.0.0.1", resolve));
    return gateway;
  }

  get port(): number {
    // A listening TCP server's address is never a string.
    return (this.server.address() as AddressInfo).port; // oxlint-disable-line typescript/no-unsafe-type-assertion
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sends one request on a connection of its own; authenticated JSON unless told otherwise. */
  send({ method = "POST", path = "/plugins/webhooks/orders", headers = {}, body }: Sending = {}): Promise<Reply> {
    const text = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all = { "content-type": "application/json", authorization: `Bearer ${secret}`, ...headers };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { port: this.port, host: "127.0.0.1", method, path, headers: sent, agent: false },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("error", reject).on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("end", () => {
            const reply = Buffer.concat(chunks).toString();
            const { statusCode: status = 0, headers: got } = incoming;
            resolve({ status, headers: got, text: reply, body: reply === "" ? undefined : JSON.parse(reply) });
          });
        },
      );
      outgoing.on("error", reject).end(text);
    });
  }

  /** Sends an action's fields. */
  act(action: string, fields: object = {}): Promise<Reply> {
    return this.send({ body: { action, ...fields } });
  }

  /** A bare connection. */
  open(): RawConnection {
    return new RawConnection(connect(this.port, "127.0.0.1"));
  }
}

export class RawConnection {
  received = "";
  closed = false;
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (this.received += chunk));
    socket.on("close", () => (this.closed = true));
    socket.on("error", () => {});
  }

  /** Sends a request's head, with the right secret and content type, and then `body` as it is. */
  post(headers: Record<string, string | number>, body = "", path = "/plugins/webhooks/orders"): void {
    const all = { Host: "gateway", "Content-Type": "application/json", Authorization: `Bearer ${secret}`, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    this.socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
  }

  /** Statuses of the answers received so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));
  }
}

/** Waits until `condition` holds; fails with its text after two seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 2000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`never: ${condition.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
