import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import type { GatewayApi, HttpRoute } from "../plugin/ports.ts";
import { createDrivenClock } from "./clock.ts";
import { StartError } from "./errors.ts";
import { listen, startGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
import { createManagedFlows } from "./managed-flows.ts";

const { clock } = createDrivenClock(0);
const open: Gateway[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
});

const secret = (id: string) => ({ source: "env", provider: "default", id });
const enabled = (config: Record<string, unknown> = {}) => ({
  plugins: { entries: { probe: { enabled: true, config } } },
});

const start = async (register: (api: GatewayApi) => unknown, options: Partial<GatewayOptions> = {}) => {
  const gateway = await startGateway({
    document: enabled(),
    configDir: ".",
    plugin: { id: "probe", register },
    clock,
    flows: createManagedFlows({ clock }),
    port: 0,
    env: {},
    log: () => undefined,
    ...options,
  });
  open.push(gateway);
  return gateway;
};

const route = (
  path: string,
  handler: HttpRoute["handler"] = async (_request, response) => Boolean(response.end(path)),
) => ({
  path,
  auth: "plugin" as const,
  match: "exact" as const,
  replaceExisting: true,
  handler,
});

const send = async (gateway: Gateway, path: string) => {
  const call = request({ port: gateway.port, host: "127.0.0.1", path, agent: false }).end();
  const [response] = await once(call, "response");
  return { status: Number(response.statusCode), body: await text(response) };
};

test("routes are reached at exactly their path, whatever the query", async () => {
  const gateway = await start((api) => api.registerHttpRoute(route("/hooks/a")));
  for (const path of ["/hooks/a", "/hooks/a?x=/b", "http://any.host/hooks/a?y"]) {
    expect(await send(gateway, path)).toEqual({ status: 200, body: "/hooks/a" });
  }
});

const others = [
  "/hooks/a/",
  "/Hooks/a",
  "//hooks/a",
  "/hooks/%61",
  "/hooks/./a",
  "/x/../hooks/a",
  "/hooks/a;v=1",
  "/",
  "*",
];
test.each(others)("routes are not reached at %s, which gets the gateway's own 404", async (path) => {
  const gateway = await start((api) => api.registerHttpRoute(route("/hooks/a")));
  expect(await send(gateway, path)).toEqual({ status: 404, body: "Not Found\n" });
});

test("a handler that declines leaves the 404 to the gateway", async () => {
  const gateway = await start((api) => api.registerHttpRoute(route("/a", async () => false)));
  expect(await send(gateway, "/a")).toEqual({ status: 404, body: "Not Found\n" });
});

test("a handler that throws gives a 500 that says nothing of why", async () => {
  const gateway = await start((api) => {
    api.registerHttpRoute(route("/rejects", () => Promise.reject(new Error("hunter2\nforged line"))));
    api.registerHttpRoute(
      route("/throws", () => {
        throw new Error("at once");
      }),
    );
  });
  for (const path of ["/rejects", "/throws"]) {
    expect(await send(gateway, path)).toEqual({ status: 500, body: "Internal Server Error\n" });
  }
  expect(gateway.logs()).toEqual([
    "1970-01-01T00:00:00.000Z error a handler threw: hunter2 forged line",
    "1970-01-01T00:00:00.000Z error a handler threw: at once",
  ]);
});

test("a handler that throws in the middle of an answer ends the connection", async () => {
  const gateway = await start((api) =>
    api.registerHttpRoute(
      route("/half", async (_request, response) => {
        response.writeHead(200, { "content-length": 100 }).write("half");
        throw new Error("late");
      }),
    ),
  );
  await expect(send(gateway, "/half")).rejects.toThrow();
});

test("one route replaces another only when it says so", async () => {
  const gateway = await start((api) => {
    api.registerHttpRoute(route("/a"));
    api.registerHttpRoute(route("/a", async (_request, response) => Boolean(response.end("second"))));
  });
  expect(await send(gateway, "/a")).toMatchObject({ body: "second" });
  const twice = start((api) => {
    api.registerHttpRoute(route("/a"));
    api.registerHttpRoute({ ...route("/a"), replaceExisting: false });
  });
  await expect(twice).rejects.toThrow("the route /a exists already");
});

test.each([
  [{ path: "no-slash" }, "must start with /"],
  [{ path: 7 }, "must start with /"],
  [{ match: "prefix" }, "wants match prefix"],
])("a route with %j is refused", async (odd, message) => {
  const refused = start((api) => api.registerHttpRoute(Object.assign(route("/a"), odd)));
  await expect(refused).rejects.toThrow(message);
});

test("a plugin gets its id, configuration, runtime and logger, its secrets resolved", async () => {
  const register = vi.fn<(api: GatewayApi) => void>();
  const routes = { warm: { secret: secret("WARM") }, cold: { secret: secret("COLD") } };
  const flows = createManagedFlows({ clock });
  const gateway = await start(register, { document: enabled({ routes }), env: { WARM: "hunter2" }, flows });
  const config = { routes: { warm: { secret: "hunter2" }, cold: { secret: secret("COLD") } } };
  expect(register).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      id: "probe",
      config: enabled(config),
      pluginConfig: config,
      runtime: { tasks: { managedFlows: flows.runtime, async: { managedFlows: flows.asyncRuntime } } },
    }),
  );
  expect(gateway.logs()).toEqual([
    "1970-01-01T00:00:00.000Z warn the secret of route cold of probe cannot be resolved (source env)",
  ]);
});

test.each([
  ["without an entry", {}],
  ["whose entry is another's", { plugins: { entries: { other: {} } } }],
  ["that is disabled", { plugins: { entries: { probe: { enabled: false } } } }],
])("a plugin %s is not registered", async (_name, document) => {
  const register = vi.fn<() => void>();
  const gateway = await start(register, { document });
  expect(register).not.toHaveBeenCalled();
  expect(gateway.logs()[0]).toContain("plugin probe is not enabled");
  expect((await send(gateway, "/")).status).toBe(404);
});

test("a plugin whose entry has no configuration gets an empty one", async () => {
  const register = vi.fn<(api: GatewayApi) => void>();
  await start(register, { document: { plugins: { entries: { probe: {} } } } });
  expect(register).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ pluginConfig: {} }));
});

test("a plugin that cannot be registered keeps the gateway from starting", async () => {
  const thrown = Object.assign(new Error("a wants a sessionKey"), { stack: "Error\n    at register (/p.mjs:1:46)" });
  const failure = start(() => Promise.reject(thrown));
  await expect(failure).rejects.toThrow(StartError);
  await expect(failure).rejects.toThrow("Plugin probe could not be registered: a wants a sessionKey (/p.mjs:1:46)");
});

test("a reload takes a new snapshot of the secrets and swaps the routes", async () => {
  const env: NodeJS.ProcessEnv = {};
  const seen: unknown[] = [];
  const document = enabled({ routes: { a: { secret: secret("KEY") } } });
  const gateway = await start(
    (api) => {
      seen.push(api.pluginConfig);
      if (seen.length > 1) api.registerHttpRoute(route("/late"));
    },
    { document, env },
  );
  expect((await send(gateway, "/late")).status).toBe(404);
  env["KEY"] = "hunter2";
  await gateway.reload(document);
  expect(seen).toEqual([{ routes: { a: { secret: secret("KEY") } } }, { routes: { a: { secret: "hunter2" } } }]);
  expect((await send(gateway, "/late")).status).toBe(200);
  await gateway.reload({});
  expect((await send(gateway, "/late")).status).toBe(404);
});

test("a reload that fails keeps the old routes, and says so", async () => {
  const gateway = await start((api) => {
    if (JSON.stringify(api.pluginConfig).includes("bad")) throw new Error("bad path");
    api.registerHttpRoute(route("/a"));
  });
  await expect(gateway.reload(enabled({ bad: true }))).rejects.toThrow("bad path");
  await expect(gateway.reload({ plugins: 1 })).rejects.toThrow(StartError);
  expect(gateway.logs()[0]).toContain("error reload failed, the old routes stay: Plugin probe could not");
  expect((await send(gateway, "/a")).status).toBe(200);
});

test("a reload requested last is the one that takes effect", async () => {
  const gate = new AbortController();
  const opened = once(gate.signal, "abort");
  const gateway = await start(async (api) => {
    if (JSON.stringify(api.pluginConfig) === '{"slow":true}') await opened;
    api.registerHttpRoute(route(`/${Object.keys(Object(api.pluginConfig)).join()}`));
  });
  const both = [gateway.reload(enabled({ slow: true })), gateway.reload(enabled({ fast: true }))];
  gate.abort();
  await Promise.all(both);
  expect([(await send(gateway, "/fast")).status, (await send(gateway, "/slow")).status]).toEqual([200, 404]);
});

test("a port in use is named, with what to do", async () => {
  const { port } = await start(() => undefined);
  const second = start(() => undefined, { port });
  await expect(second).rejects.toThrow(
    `Port ${port} is in use: stop what listens there (lsof -i :${port} names it) or choose another port (0 takes a free one).`,
  );
  await expect(listen(createServer(), 0, "203.0.113.1")).rejects.toThrow(/^Cannot listen on port 0: E/);
});

test("closing ends connections that are idle, half sent or being answered", async () => {
  const gateway = await start((api) => api.registerHttpRoute(route("/hangs", () => new Promise(() => undefined))));
  const sent = ["", "POST /hangs HTTP/1.1\r\nHos", "GET /hangs HTTP/1.1\r\nHost: x\r\n\r\n"];
  const sockets = await Promise.all(
    sent.map(async (bytes) => {
      const socket = connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      socket.write(bytes);
      return socket.resume();
    }),
  );
  await vi.waitFor(() => send(gateway, "/"), 60_000);
  const closed = Promise.all(sockets.map((socket) => once(socket, "close")));
  await gateway.close();
  await closed;
  await expect(send(gateway, "/")).rejects.toThrow("ECONNREFUSED");
});

test("the gateway keeps the last 1,000 lines of its log, none longer than 2,000 characters", async () => {
  const written: string[] = [];
  const gateway = await start(
    ({ logger }) => {
      for (let line = 0; line < 1_100; line += 1) logger.info?.(`line ${line}`);
      logger.error?.("x".repeat(5_000));
    },
    { log: (line) => written.push(line) },
  );
  expect(written).toHaveLength(1_101);
  expect(gateway.logs()).toEqual(written.slice(-1_000));
  expect(gateway.logs().at(-1)).toHaveLength(2_000);
});

test("the gateway writes its log to stderr unless told otherwise", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const gateway = await startGateway({
    document: {},
    configDir: ".",
    plugin: { id: "probe", register: () => undefined },
    clock,
    flows: createManagedFlows({ clock }),
    port: 0,
  });
  open.push(gateway);
  expect(write).toHaveBeenCalledWith(`${gateway.logs()[0]}\n`);
  write.mockRestore();
});
