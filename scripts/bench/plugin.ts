/** What a request costs this plugin, beside a bare node:http server and, in the same gateway, the live peer's plugin. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool, type Dispatcher } from "undici";
import { cacheFolder, install } from "../../conformance/peers/openclaw/install.ts";
import { PEER_VERSION } from "../../conformance/peers/openclaw/main.ts";
import { served, type Served } from "../served.ts";
import { inTurns, type Bench, type Figures } from "./measure.ts";

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

/** One kind of request, and the status that the plugin answers it with. `FLOW` stands for the id of a flow that exists. */
interface Kind {
  readonly status: number;
  readonly method?: "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Its budget is spent before the time starts. */
  readonly isSpent?: true;
}

const read = '{"action":"get_flow","flowId":"FLOW"}';
const create: Kind = { status: 200, body: '{"action":"create_flow","goal":"Ship the parcel"}' };

/** An accepted read and write, and a refusal by most of the checks in their order. */
const kinds: Readonly<Record<string, Kind>> = {
  get_flow: { status: 200, body: read },
  create_flow: create,
  "method, 405": { status: 405, method: "PUT", body: read },
  "content type, 415": { status: 415, headers: { "content-type": "text/plain" }, body: read },
  "rate limit, 429": { status: 429, isSpent: true, body: read },
  "secret, 401": { status: 401, headers: { authorization: "Bearer guess" }, body: read },
  "not JSON, 400": { status: 400, body: "{not json" },
  "unknown field, 400": { status: 400, body: read.replace("}", ',"extra":1}') },
};

interface Server extends Served {
  readonly flowId: string;
}

function send(dispatcher: Dispatcher, flowId: string, { method = "POST", headers, body }: Kind, route: number) {
  const usual = { "content-type": "application/json", authorization: `Bearer ${SECRET}` };
  const path = `/plugins/webhooks/r${route}`;
  return dispatcher.request({ path, method, headers: { ...usual, ...headers }, body: body.replace("FLOW", flowId) });
}

async function started(node: string, args: readonly string[]): Promise<Server> {
  const server = await served(node, ["--import", join(import.meta.dirname, "meter.mjs"), ...args]);
  const pool = new Pool(server.baseUrl);
  const { body } = await send(pool, "", create, 0);
  const { result } = (await body.json()) as { result: { flow: { flowId: string } } };
  await pool.close();
  return { ...server, flowId: result.flow.flowId };
}

/** The processor time of a server since it started, us. */
async function spentUs({ child }: Served): Promise<number> {
  const answer = once(child, "message");
  child.send("meter");
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
  return user + system;
}

let addresses = 0;

/** The processor time of the server for one request, us. No two batches use the same client address: each has its whole budget. */
async function batch(server: Server, kind: Kind, status: number): Promise<number> {
  const localAddress = `127.1.${(addresses += 1) >> 8}.${addresses & 255}`;
  const pool = new Pool(server.baseUrl, { connections: CONNECTIONS, localAddress });
  const sendMany = async (count: number, wanted?: number) => {
    const one = async (_: unknown, nth: number) => {
      const { statusCode, body } = await send(pool, server.flowId, kind, kind.isSpent ? 0 : nth % ROUTES);
      await body.dump();
      if (wanted !== undefined && statusCode !== wanted) throw new Error(`answered ${statusCode}, expected ${wanted}`);
    };
    await Promise.all(Array.from({ length: count }, one));
  };
  if (kind.isSpent) await sendMany(BUDGET);
  const before = await spentUs(server);
  await sendMany(BATCH, status);
  const spent = (await spentUs(server)) - before;
  await pool.close();
  return spent / BATCH;
}

/** The servers: the plugin and, where it is installed, the peer's in the same gateway; all on the Node that the peer needs. */
async function serversIn(folder: string): Promise<Readonly<Record<string, Server>>> {
  const route = { sessionKey: "bench", secret: SECRET };
  const routes = Object.fromEntries(Array.from({ length: ROUTES }, (_, index) => [`r${index}`, route]));
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify({ plugins: { entries: { webhooks: { config: { routes } } } } }));
  const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");
  const serve = [main, "serve", "--config", config, "--port", "0"];
  const isThere = existsSync(join(cacheFolder, `openclaw-${PEER_VERSION}`));
  const { node, peer } = isThere ? await install(PEER_VERSION) : { node: process.execPath, peer: "" };
  const module = join(peer, "dist", "extensions", "webhooks", "index.js");
  return {
    echo: await started(node, [join(import.meta.dirname, "bare-echo.mjs")]),
    "this plugin": await started(node, serve),
    ...(isThere && { "the peer's": await started(node, [...serve, "--plugin", module]) }),
  };
}

export const plugin: Bench = {
  about:
    `Microseconds of the server's processor time for a request: medians of ${ROUNDS} batches of ${BATCH} requests over ${CONNECTIONS} connections, the servers in turns. ` +
    `"echo" is a bare node:http server that reads and parses the same request and writes an answer of the usual size; the peer's plugin runs in the same gateway as this one, if \`npm run conformance:openclaw\` has installed it.`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
    const rows: Record<string, Figures> = {};
    for (const [about, kind] of Object.entries(kinds)) {
      // New ones for each kind: flows that another kind has created would cost them memory.
      const servers = Object.entries(await serversIn(folder));
      const batches = servers.map(([name, server]) => {
        return [name, () => batch(server, kind, name === "echo" ? 200 : kind.status)] as const;
      });
      rows[about] = await inTurns(ROUNDS, Object.fromEntries(batches));
      await Promise.all(servers.map(([, server]) => server.stop()));
    }
    await rm(folder, { recursive: true });
    return rows;
  },
};
