import { expect, test } from "vitest";
import { validRequest } from "../interface/request.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { Client } from "./client.ts";
import { endpointOf } from "./endpoint.ts";
import { Connection } from "./raw.ts";
import { Upload } from "./upload.ts";
import { wireForm } from "./wire-form.ts";

const from = "127.0.0.9";

test("a connection to the loopback is bound to the client address, one to another machine is not", () => {
  expect(endpointOf("http://127.0.0.1:8080", from)).toEqual({ host: "127.0.0.1", port: 8080, localAddress: from });
  expect(endpointOf("http://192.0.2.1", from)).toEqual({ host: "192.0.2.1", port: 80 });
  expect(endpointOf("http://[2001:db8::1]:8080", from)).toEqual({ host: "2001:db8::1", port: 8080 });
  expect(endpointOf("http://gateway.example:8080", from)).toEqual({ host: "gateway.example", port: 8080 });
});

const request = validRequest({ path: "/plugins/webhooks/a", secret: "s" }, { action: "list_flows" });

const ways: Readonly<Record<string, (origin: string) => Promise<unknown>>> = {
  "a whole request": async (origin) => {
    const client = new Client(origin, 5000);
    await client.send(request, from);
    await client.close();
  },
  "an upload": async (origin) => (await Upload.open(origin, request, { from, timeoutMs: 5000 })).finish(),
  async "raw bytes"(origin) {
    const connection = new Connection(origin, from);
    connection.write(wireForm(origin, request));
    await connection.closedWithin(5000);
  },
};

test.each(Object.entries(ways))("%s to no loopback address comes from the machine's own", async (_, send) => {
  const seen: (string | undefined)[] = [];
  const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
  const server = await scripted((socket) => (seen.push(socket.remoteAddress), void socket.end(answer)));
  // A name says nothing of the network behind it.
  await send(`http://localhost:${server.port}`);
  expect(seen).toEqual(["127.0.0.1"]);
  await send(server.origin);
  expect(seen).toEqual(["127.0.0.1", from]);
});
