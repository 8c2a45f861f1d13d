import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { HarnessError } from "../http/harness-error.ts";
import { Control } from "./control.ts";

const TIMEOUT_MS = 10_000;

interface Call {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: unknown;
}

/** A control port that gives these answers by path, a number as a status; it keeps silent on other paths. */
async function controlPort(answers: Record<string, unknown>) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    const body = await text(request);
    calls.push({ method, url, body: body === "" ? undefined : JSON.parse(body) });
    const answer = answers[url];
    if (typeof answer === "number") response.writeHead(answer).end("{}");
    else if (answer !== undefined) response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
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
  const control = await Control.connect(url, TIMEOUT_MS);
  expect([...control.capabilities]).toEqual(all.capabilities);
  expect(control.canaries).toEqual(["owner-canary-1"]);
  await control.advance(60_000);
  await control.settle("f-1", "t-1", "succeeded");
  await control.persistence(["create", "task"]);
  expect(await control.seed({ sessionKey: "elsewhere", managed: false })).toEqual({ flowId: "f-1", revision: 3 });
  expect(await control.logs()).toEqual(["one", "two"]);
  expect(calls).toEqual([
    { method: "GET", url: "/capabilities", body: undefined },
    { method: "POST", url: "/clock/advance", body: { ms: 60_000 } },
    { method: "POST", url: "/tasks/settle", body: { flowId: "f-1", taskId: "t-1", status: "succeeded" } },
    { method: "POST", url: "/persistence", body: { fail: ["create", "task"] } },
    { method: "POST", url: "/flows/seed", body: { sessionKey: "elsewhere", managed: false } },
    { method: "GET", url: "/logs", body: undefined },
  ]);
});

test.each<[string, unknown, string?]>([
  ["no JSON", "hello"],
  ["no list", { capabilities: "clock" }],
  ["a canary that any answer may hold", { capabilities: [], canaries: ["a"] }],
  ["another status", 500, "the control port answered GET /capabilities with 500, expected 200"],
])(
  "%s is named",
  async (_, answer, why = "the control port's answer to GET /capabilities is not of the documented shape") => {
    const { url } = await controlPort({ "/capabilities": answer });
    await expect(Control.connect(url, TIMEOUT_MS)).rejects.toThrow(new HarnessError(why));
  },
);

test("a control port that keeps silent is given up in bounded time", async () => {
  const { url } = await controlPort({ "/capabilities": all });
  const control = await Control.connect(url, 500);
  await expect(control.advance(1)).rejects.toThrow(
    new HarnessError("the control port's POST /clock/advance was not answered: no whole answer within 500 ms"),
  );
});
