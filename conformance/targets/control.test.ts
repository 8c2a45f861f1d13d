import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { HarnessError } from "../http/harness-error.ts";
import { MAX_ANSWER_BYTES } from "../http/gathered.ts";
import { flood } from "../proof/hostile/hostile.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { connectControl } from "./control.ts";

const TIMEOUT_MS = 10_000;
const TOKEN = "t0k3n-of-this-run";

interface Call {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A control port that gives these answers by path; 404 for others. */
async function controlPort(answers: Record<string, unknown>, silent: readonly string[] = []) {
  const calls: Call[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method, url = "", headers } = request;
    calls.push({ method, url, authorization: headers.authorization, body: text === "" ? undefined : JSON.parse(text) });
    if (silent.includes(url)) return;
    const found = answers[url];
    if (typeof found === "number") response.writeHead(found).end("{}");
    else if (typeof found === "string") response.end(found);
    else response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, calls };
}

const all = { capabilities: ["clock", "children", "persistence", "sessions", "logs"] };

test("a good control port is called with the documented bodies", async () => {
  const { url, calls } = await controlPort({
    "/capabilities": { ...all, canaries: ["owner-canary-1"] },
    "/clock/advance": {},
    "/tasks/settle": {},
    "/persistence": {},
    "/flows/seed": { flowId: "f-1", revision: 3 },
    "/logs": { lines: ["one", "two"] },
  });
  const control = await connectControl(url, TOKEN, TIMEOUT_MS);
  expect([...control.capabilities]).toEqual(all.capabilities);
  expect(control.canaries).toEqual(["owner-canary-1"]);
  await control.advance(60_000);
  await control.settle("f-1", "t-1", "succeeded");
  await control.persistence(["create", "task"]);
  expect(await control.seed({ sessionKey: "elsewhere", managed: false })).toEqual({ flowId: "f-1", revision: 3 });
  expect(await control.logs()).toEqual(["one", "two"]);
  const authorization = `Bearer ${TOKEN}`;
  const asked = [
    { method: "GET", url: "/capabilities", body: undefined },
    { method: "POST", url: "/clock/advance", body: { ms: 60_000 } },
    { method: "POST", url: "/tasks/settle", body: { flowId: "f-1", taskId: "t-1", status: "succeeded" } },
    { method: "POST", url: "/persistence", body: { fail: ["create", "task"] } },
    { method: "POST", url: "/flows/seed", body: { sessionKey: "elsewhere", managed: false } },
    { method: "GET", url: "/logs", body: undefined },
  ];
  expect(calls).toEqual(asked.map((call) => ({ ...call, authorization })));
});

test("capabilities that the kit does not know are left aside", async () => {
  const { url } = await controlPort({ "/capabilities": { capabilities: ["clock", "teleport"] } });
  expect([...(await connectControl(url, TOKEN, TIMEOUT_MS)).capabilities]).toEqual(["clock"]);
});

test.each([
  ["no JSON", "hello"],
  ["no list", { capabilities: "clock" }],
  ["a canary that any answer may hold", { capabilities: [], canaries: ["a"] }],
])("%s is named as an answer of another shape", async (_, answer) => {
  const { url } = await controlPort({ "/capabilities": answer });
  await expect(connectControl(url, TOKEN, TIMEOUT_MS)).rejects.toThrow(
    new HarnessError("the control port's answer to GET /capabilities is not of the documented shape"),
  );
});

test("another status than 200 is named, with the call", async () => {
  const { url } = await controlPort({ "/capabilities": all, "/persistence": 500 });
  const control = await connectControl(url, TOKEN, TIMEOUT_MS);
  await expect(control.persistence([])).rejects.toThrow(
    new HarnessError("the control port answered POST /persistence with 500, expected 200"),
  );
  await expect(control.logs()).rejects.toThrow("the control port answered GET /logs with 404, expected 200");
});

test("a port that refuses the token is told how it gets one", async () => {
  const { url } = await controlPort({ "/capabilities": 401 });
  await expect(connectControl(url, TOKEN, TIMEOUT_MS)).rejects.toThrow(
    "GET /capabilities with 401: expected is the token that the target was given as WEBHOOKS_CONTROL_TOKEN",
  );
});

test("a control port that keeps silent is given up in bounded time", async () => {
  const { url } = await controlPort({ "/capabilities": all }, ["/clock/advance"]);
  const control = await connectControl(url, TOKEN, 500);
  await expect(control.advance(1)).rejects.toThrow(
    new HarnessError("the control port's POST /clock/advance was not answered: no whole answer within 500 ms"),
  );
});

test("an answer without end is cut off, not gathered", async () => {
  const { origin } = await scripted((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    flood(socket, Buffer.alloc(65_536, "a"));
  });
  await expect(connectControl(origin, TOKEN, TIMEOUT_MS)).rejects.toThrow(
    new HarnessError(
      `the control port's GET /capabilities was not answered: an answer of more than ${MAX_ANSWER_BYTES} bytes`,
    ),
  );
});
