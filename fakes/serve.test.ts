import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { folderWith } from "./folder.test-support.ts";
import { parseServeArgs, runServe, serve, type Running, type ServeOptions } from "./serve.ts";
import { untilStopped } from "./until-stopped.ts";

const greeter = `export default { id: "greeter", name: "g", description: "g", register(api) {
    const { path = "/greet" } = api.pluginConfig;
    const handler = async (_request, response) => Boolean(response.end(JSON.stringify({ now: Date.now() })));
    api.registerHttpRoute({ path, auth: "plugin", match: "exact", replaceExisting: true, handler });
  } };`;

const config = (routes: unknown) =>
  JSON.stringify({ plugins: { entries: { webhooks: { enabled: true, config: { routes } } } } });

const dir = folderWith({
  "config.json": config({ a: { sessionKey: "s:a", secret: "hunter2" } }),
  "greeter.json": JSON.stringify({ plugins: { entries: { greeter: { config: {} } } } }),
  "greeter.mjs": greeter,
});
const env = { WEBHOOKS_CONTROL_TOKEN: "a-token-of-this-run" };
const headers = { authorization: `Bearer ${env.WEBHOOKS_CONTROL_TOKEN}` };
let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const start = async (options: Partial<ServeOptions> = {}) => {
  running = await serve({ config: join(dir, "config.json"), port: 0, log: () => undefined, ...options });
  return running;
};

const post = (url: string, headers: Record<string, string>, action = "list_flows") =>
  fetch(`${url}/plugins/webhooks/a`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ action }),
  });

test("the kit's own plugin answers, under the name of the product", async () => {
  const { url, port, controlUrl } = await start({ product: "acme", env: {} });
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(controlUrl).toBeUndefined();
  const answer = await post(url, { "x-acme-webhook-secret": "hunter2" });
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true, routeId: "a", result: { flows: [] } }]);
  expect((await post(url, { "x-service-webhook-secret": "hunter2" })).status).toBe(401);
});

test("a reload reads the file again", async () => {
  const file = join(dir, "changing.json");
  await writeFile(file, config({}));
  const { url, reload } = await start({ config: file });
  const authorization = { authorization: "Bearer hunter2" };
  expect((await post(url, authorization)).status).toBe(404);
  await writeFile(file, config({ a: { sessionKey: "s:a", secret: "hunter2" } }));
  await reload();
  expect((await post(url, authorization)).status).toBe(200);
  await writeFile(file, "{");
  await expect(reload()).rejects.toThrow("is not JSON");
  expect((await post(url, authorization)).status).toBe(200);
});

test("a foreign plugin is driven by the control port", async () => {
  const real = Date;
  const options = { config: join(dir, "greeter.json"), plugin: join(dir, "greeter.mjs"), controlPort: 0, env };
  const { url, controlUrl, close } = await start({ ...options, clock: "driven" });
  const now = async () => (await fetch(`${url}/greet`)).json();
  const before = await now();
  expect(await now()).toEqual(before);
  const advanced = await fetch(`${controlUrl}/clock/advance`, { method: "POST", headers, body: '{"ms":86400000}' });
  expect(await now()).toEqual(await advanced.json());
  expect(Date).not.toBe(real);
  await close();
  expect(Date).toBe(real);
});

test.each([{}, { WEBHOOKS_CONTROL_TOKEN: "" }, { WEBHOOKS_CONTROL_TOKEN: "short" }])(
  "no control port is opened with %j, and the message says what to do",
  async (short) => {
    await expect(start({ controlPort: 0, env: short })).rejects.toThrow("export WEBHOOKS_CONTROL_TOKEN=$(");
  },
);

const reference = (source: string, id: string) => ({ source, provider: "default", id });

test("a reload sets only variables that secrets name, and no command sees one", async () => {
  const seen = join(dir, "seen.txt");
  const script = `process.stdout.write("s3cr3t"); require("fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`;
  const routes = {
    a: { sessionKey: "s:a", secret: reference("env", "NODE_OPTIONS") },
    b: { sessionKey: "s:b", secret: reference("exec", "x") },
  };
  const secrets = { exec: { command: [process.execPath, "-e", script] } };
  const file = join(dir, "named.json");
  await writeFile(file, JSON.stringify({ plugins: { entries: { webhooks: { config: { routes } } } }, secrets }));
  const { url, controlUrl } = await start({ config: file, controlPort: 0, env: { ...env, OTHER: "kept" } });
  const reload = async (environment: object) => {
    const answer = await fetch(`${controlUrl}/reload`, {
      method: "POST",
      headers,
      body: JSON.stringify({ environment }),
    });
    return [answer.status, await answer.json()];
  };
  const refused = { error: "environment.LD_PRELOAD: expected a variable that a secret names" };
  expect(await reload({ NODE_OPTIONS: "--no-warnings", LD_PRELOAD: "/tmp/evil.so" })).toEqual([400, refused]);
  expect((await post(url, { authorization: "Bearer --no-warnings" })).status).toBe(401);
  expect(await reload({ NODE_OPTIONS: "--no-warnings", OTHER: null })).toEqual([200, {}]);
  expect((await post(url, { authorization: "Bearer --no-warnings" })).status).toBe(200);
  expect(JSON.parse(await readFile(seen, "utf8"))).toEqual({ OTHER: "kept" });
});

test("a plugin that cannot be loaded leaves the clock as it was", async () => {
  const real = Date;
  await expect(start({ plugin: join(dir, "none.mjs"), clock: "driven" })).rejects.toThrow("There is no plugin file");
  expect(Date).toBe(real);
});

test("a plugin of another id gets the only entry that there is", async () => {
  const { url } = await start({ plugin: join(dir, "greeter.mjs") });
  expect((await fetch(`${url}/greet`)).status).toBe(200);
});

test("a control port in use closes the gateway again", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  const controlPort = typeof address === "object" && address ? address.port : 0;
  await expect(start({ controlPort, env })).rejects.toThrow(`Port ${controlPort} is in use`);
  holder.close();
});

test("arguments are parsed", () => {
  expect(parseServeArgs(["--config", "c.json", "--port", "80"])).toEqual({
    config: "c.json",
    port: 80,
    controlPort: undefined,
    plugin: undefined,
    clock: "real",
    product: "service",
    runtime: "bare",
  });
  const all =
    "--config c --port 1 --control-port 0 --plugin p.js --runtime checking --clock driven --product acme".split(" ");
  expect(parseServeArgs(all)).toEqual({
    config: "c",
    port: 1,
    controlPort: 0,
    plugin: "p.js",
    clock: "driven",
    product: "acme",
    runtime: "checking",
  });
});

test.each([
  ["--port 1", "--config FILE is missing (or --route ID"],
  ["--config c", "--port N is missing (see: webhooks-conformance serve --help)."],
  ["--config c --plugin p.js --route a --secret-env ABSENT", "export ABSENT="],
  ["--config c --plugin p.js --route a --secret-env PATH", "--config and --route exclude each other"],
  ["--config c --port x", '--port is "x", expected a whole number from 0 to 65535.'],
  ["--config c --port 65536", '--port is "65536", expected'],
  ["--config c --port 1 --control-port 1.5", '--control-port is "1.5", expected'],
  ["--config c --port 1 --clock fast", "--clock: expected real or driven."],
  ["--config c --port 1 --runtime strict", "--runtime: expected bare or checking."],
  ["--config c --port 1 --colour", "Unknown option '--colour'"],
  ["--config c --port 1 extra", "Unexpected argument 'extra'"],
  ["--config", "Option '--config <value>' argument missing"],
])("%s is refused", (line, message) => {
  expect(() => parseServeArgs(line.split(" "))).toThrow(message);
});

describe("the command", () => {
  let stdout: string[];
  let stderr: string[];
  beforeEach(() => {
    [stdout, stderr] = [[], []];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => stdout.push(String(text)) > 0);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => stderr.push(String(text)) > 0);
  });
  afterEach(() => void vi.restoreAllMocks().unstubAllEnvs());

  const listening = () => vi.waitFor(() => expect(stdout.join("")).toContain("listening on"), 60_000);

  test("serves a plugin with the routes that flags name, each with the secret of its variable", async () => {
    vi.stubEnv("DEMO_SECRET", "correct-horse");
    const plugin = join(dir, "routes.mjs");
    await writeFile(
      plugin,
      `export default { id: "mine", register({ pluginConfig }) { process.emit("told", pluginConfig.routes); } };`,
    );
    const told = once(process, "told");
    const code = runServe(`--plugin ${plugin} --port 0 --route a --route b --secret-env DEMO_SECRET`.split(" "));
    const secret = "correct-horse";
    expect(await told).toEqual([{ a: { sessionKey: "serve:a", secret }, b: { sessionKey: "serve:b", secret } }]);
    await listening();
    process.emit("SIGTERM");
    expect(await code).toBe(0);
  });

  test("says where it listens, reloads on SIGHUP and ends cleanly on SIGINT", async () => {
    const file = join(dir, "command.json");
    vi.stubEnv("WEBHOOKS_CONTROL_TOKEN", env.WEBHOOKS_CONTROL_TOKEN);
    await writeFile(file, config({}));
    const code = runServe(["--config", file, "--port", "0", "--control-port", "0"]);
    await listening();
    expect(stdout.join("")).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\ncontrol on http:\/\/127\.0\.0\.1:\d+\n$/);
    await writeFile(file, "nonsense");
    process.emit("SIGHUP");
    await vi.waitFor(() => expect(stderr.at(-1)).toMatch(/^Not reloaded: .* line 1, column 1\.\n$/), 60_000);
    process.emit("SIGINT");
    expect(await code).toBe(0);
    expect(process.listenerCount("SIGHUP")).toBe(0);
  });

  test.each([
    ["never starts", "await new Promise(() => {})"],
    ["starts later", "await new Promise((resolve) => setImmediate(resolve))"],
  ])("ends when it is told to stop while its plugin %s", async (how, body) => {
    const plugin = join(dir, `${how.replaceAll(" ", "-")}.mjs`);
    await writeFile(
      plugin,
      `export default { id: "webhooks", async register() { process.emit("started"); ${body} } };`,
    );
    const started = new Promise((resolve) => process.once("started" as "exit", resolve));
    const code = runServe(["--config", join(dir, "config.json"), "--port", "0", "--plugin", plugin]);
    await started;
    process.emit("SIGTERM");
    expect(await code).toBe(0);
    expect(stdout).toEqual([]);
  });

  test.each([
    [["--nonsense"], "Unknown option '--nonsense' (see:"],
    [["--config", "/no/such.json", "--port", "0"], "There is no configuration file /no/such.json."],
  ])("%j is a mistake of the caller: exit code 2 and at most two lines", async (args, message) => {
    expect(await runServe(args)).toBe(2);
    expect(stderr.join("")).toContain(message);
    expect(stderr.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(2);
  });

  test("other errors are thrown", async () => {
    await expect(untilStopped(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  });
});
