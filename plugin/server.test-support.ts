import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
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
  headers: Record<string, string>;
  text: string;
  body: { ok: boolean; routeId: string; code?: string; error?: string; result: Record<string, unknown> };
}

export interface Sending {
  /** Undefined takes one of the usual ones away. */
  headers?: Record<string, string | undefined>;
  body: string | object;
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

  /** Stopped at the end of the test. */
  static async start(
    flows: BoundFlows = boundFlows(),
    parts: Partial<Parts> = {},
    routes: object = { orders: { sessionKey, secret } },
  ): Promise<TestGateway> {
    const gateway = new TestGateway(flows, { ...standardParts, ...parts }, routes);
    await new Promise<void>((resolve) => gateway.server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => gateway.stop());
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

  /** Sends one request; authenticated JSON unless told otherwise. */
  async send({ headers = {}, body }: Sending): Promise<Reply> {
    const all = { "content-type": "application/json", authorization: `Bearer ${secret}`, ...headers };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const url = `http://127.0.0.1:${this.port}/plugins/webhooks/orders`;
    const bytes = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(url, { method: "POST", headers: sent, body: bytes });
    const text = await answer.text();
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text, body: JSON.parse(text) };
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
  post(headers: Record<string, string | number>, body = ""): void {
    const all = { Host: "gateway", "Content-Type": "application/json", Authorization: `Bearer ${secret}`, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    this.socket.write(`POST /plugins/webhooks/orders HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
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
