/** What a request costs this plugin, beside a bare node:http echo and, in the same gateway, the live peer's plugin. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { cacheFolder, install } from "../../conformance/peers/openclaw/install.ts";
import { PEER_VERSION } from "../../conformance/peers/openclaw/main.ts";
import { served, type Served } from "../served.ts";
import { mediansOf, WARM_UP, type Batches, type Measure, type Row } from "./measure.ts";

const SECRET = "correct-horse-battery-staple";
/** Requests a minute of one address on one route. */
const BUDGET = 120;
const ROUTES = 20;
/** Requests of one batch: each route's budget. */
const BATCH = ROUTES * BUDGET;
/** Batches that count. */
const ROUNDS = 10;
/** Few enough that no limit in flight refuses one of them. */
const CONNECTIONS = 4;

const pathOf = (route: number): string => `/plugins/webhooks/r${route}`;

/** One kind of request. */
interface Kind {
  readonly status: number;
  readonly method?: "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Its budget is spent before the time starts. */
  readonly isSpent?: boolean;
}

/** An accepted read and write, and a refusal by most of the checks in their order. `flowId`: of a flow that exists. */
function kindsWith(flowId: string): Readonly<Record<string, Kind>> {
  const body = JSON.stringify({ action: "get_flow", flowId });
  return {
    get_flow: { status: 200, body },
    create_flow: { status: 200, body: JSON.stringify({ action: "create_flow", goal: "Ship the parcel" }) },
    "method, 405": { status: 405, method: "PUT", body },
    "content type, 415": { status: 415, headers: { "content-type": "text/plain" }, body },
    "rate limit, 429": { status: 429, isSpent: true, body },
    "secret, 401": { status: 401, headers: { authorization: "Bearer guess" }, body },
    "not JSON, 400": { status: 400, body: "{not json" },
    "unknown field, 400": { status: 400, body: JSON.stringify({ action: "get_flow", flowId, extra: 1 }) },
  };
}

const startServer = (node: string, args: readonly string[]): Promise<Served> =>
  served(node, ["--import", join(import.meta.dirname, "meter.mjs"), ...args]);

/** The processor time of a server since it started, us. */
async function spentUs({ child }: Served): Promise<number> {
  const answer = once(child, "message");
  child.send("meter");
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
  return user + system;
}

async function send(pool: Pool, kind: Kind, route: number) {
  const { method = "POST", headers, body } = kind;
  const usual = { "content-type": "application/json", authorization: `Bearer ${SECRET}` };
  return pool.request({ path: pathOf(route), method, headers: { ...usual, ...headers }, body });
}

let addresses = 0;

/** The processor time of the server for one request, us. No two batches use the same client address: each has its whole budget. */
async function batch(server: Served, kind: Kind): Promise<number> {
  const localAddress = `127.1.${(addresses += 1) >> 8}.${addresses & 255}`;
  const pool = new Pool(server.baseUrl, { connections: CONNECTIONS, localAddress });
  const sendMany = async (count: number, status: number, routeOf: (nth: number) => number) => {
    let left = count;
    const inTurn = async () => {
      while (left > 0) {
        const answer = await send(pool, kind, routeOf((left -= 1)));
        await answer.body.dump();
        if (answer.statusCode !== status) throw new Error(`answered ${answer.statusCode}, expected ${status}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, inTurn));
  };
  if (kind.isSpent) await sendMany(BUDGET, 200, () => 0);
  const before = await spentUs(server);
  await sendMany(BATCH, kind.status, (nth) => (kind.isSpent ? 0 : nth % ROUTES));
  const spent = (await spentUs(server)) - before;
  await pool.close();
  return spent / BATCH;
}

/** One answer of the plugin, as the echo takes it. */
async function answerOf({ baseUrl }: Served, kind: Kind) {
  const pool = new Pool(baseUrl);
  for (let sent = 0; kind.isSpent && sent < BUDGET; sent += 1) await (await send(pool, kind, 0)).body.dump();
  const { statusCode: status, headers, body } = await send(pool, kind, 0);
  // Node writes these by itself.
  const { date: _date, connection: _connection, "keep-alive": _alive, "content-length": _length, ...own } = headers;
  const value = (await body.json()) as { result: { flow?: { flowId: string } } };
  await pool.close();
  return { status, headers: own, value };
}

/** How to start the plugin and, where it is installed, the peer's in the same gateway; all on the Node that the peer needs. */
async function commandsIn(folder: string) {
  const route = { sessionKey: "bench", secret: SECRET };
  const routes = Object.fromEntries(Array.from({ length: ROUTES }, (_, index) => [`r${index}`, route]));
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify({ plugins: { entries: { webhooks: { config: { routes } } } } }));
  const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");
  const plugin = [main, "serve", "--config", config, "--port", "0"];
  if (!existsSync(join(cacheFolder, `openclaw-${PEER_VERSION}`)))
    return { node: process.execPath, commands: { "this plugin": plugin } };
  const { node, peer } = await install(PEER_VERSION);
  const module = join(peer, "dist", "extensions", "webhooks", "index.js");
  return { node, commands: { "this plugin": plugin, "the peer's": [...plugin, "--plugin", module] } };
}

async function measureKind(
  name: string,
  node: string,
  commands: Readonly<Record<string, readonly string[]>>,
): Promise<Row> {
  const servers = new Map<string, Batches & { readonly server: Served; readonly kind: Kind }>();
  for (const [subject, command] of Object.entries(commands)) {
    const server = await startServer(node, command);
    const created = await answerOf(server, kindsWith("")["create_flow"] as Kind);
    const kind = kindsWith(created.value.result.flow?.flowId ?? "")[name] as Kind;
    if (servers.size === 0) {
      const text = JSON.stringify(await answerOf(server, kind));
      const echo = await startServer(node, [join(import.meta.dirname, "bare-echo.mjs"), text]);
      servers.set("echo", { server: echo, kind: { ...kind, isSpent: false }, costs: [] });
    }
    servers.set(subject, { server, kind, costs: [] });
  }
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
    for (const { server, kind, costs } of servers.values()) costs.push(await batch(server, kind));
  await Promise.all([...servers.values()].map(({ server }) => server.stop()));
  return mediansOf(servers);
}

export const plugin: Measure = {
  about:
    `Microseconds of the server's processor time for a request: medians of ${ROUNDS} batches of ${BATCH} requests over ${CONNECTIONS} connections, the servers in turns. ` +
    `"echo" is a bare node:http server that reads and parses the same request and writes the same answer; the peer's plugin runs in the same gateway as this one, if \`npm run conformance:openclaw\` has installed it.`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
    const { node, commands } = await commandsIn(folder);
    const rows: Record<string, Row> = {};
    for (const name of Object.keys(kindsWith(""))) rows[name] = await measureKind(name, node, commands);
    await rm(folder, { recursive: true });
    return rows;
  },
};
