/** The plugin in the embedded gateway, beside a bare node:http echo and, in the same gateway, the live peer's plugin. */
import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Load } from "./load-connection.ts";
import type { Sent } from "./load.ts";
import { median, type Measure } from "./measure.ts";
import { kinds, pathOf, SECRET, textsOf, type Kind } from "./plugin-requests.ts";
import {
  commandsIn,
  startServer,
  subjects,
  type Commands,
  type Meter,
  type Server,
  type Subject,
} from "./plugin-servers.ts";

const ROUNDS = 10;
/** Until the engine has compiled what is measured. */
const WARM_UP_MS = 2000;
const CONNECTIONS = [1, 8, 64];
/** Of the plugin, for one of its answers. */
const SAMPLE_MS = 200;

/** One slice of load on one subject. */
interface Slice extends Sent, Meter {
  /** Requests a second. */
  readonly rate: number;
  /** Processor time of the server for one request. */
  readonly requestUs: number;
}

/** The slices of one subject at one number of connections. */
interface Slices {
  readonly all: Slice[];
  /** After them. */
  heap: number;
}

interface Running {
  readonly server: Server;
  readonly kind: Kind;
}

let addresses = 0;

/** No two slices use the same client addresses: each has its whole budget. */
async function slice(client: ChildProcess, { server, kind }: Running, connections: number, ms: number) {
  const { reconnects = false, status } = kind;
  const { port } = server;
  const load: Load = {
    ...textsOf(kind, connections),
    port,
    connections,
    ms,
    status,
    reconnects,
    firstAddress: addresses,
  };
  addresses += connections;
  await told(client, load);
  const before = await server.meter();
  const sent = (await told(client, "go")) as Sent;
  const after = await server.meter();
  const requestUs = (after.cpuUs - before.cpuUs) / sent.requests;
  return { ...after, ...sent, rate: (sent.requests / sent.ms) * 1000, requestUs };
}

async function told(client: ChildProcess, message: Load | "go"): Promise<unknown> {
  const answered = once(client, "message");
  client.send(message);
  const [answer] = (await answered) as [{ error?: string }];
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

/** Creates a flow and returns its id. */
async function newFlow({ port }: Server): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${pathOf(0)}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${SECRET}` },
    body: JSON.stringify({ action: "create_flow", goal: "Ship the parcel" }),
  });
  return /"flowId":"([^"]+)"/.exec(await answer.text())?.[1] ?? "";
}

const digits = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 0 });

const rate = (own: Slice, other: Slice): number => own.rate / other.rate;
const cost = (own: Slice, other: Slice): number => other.requestUs / own.requestUs;

/** The cells of one row: medians of each subject's slices, and of the ratios of the slices of one round. */
function rowOf(name: string, connections: number, measured: ReadonlyMap<Subject, Slices>): string[] {
  const cells = (value: (slices: Slices) => number): string =>
    subjects
      .map((subject) => measured.get(subject))
      .map((slices) => (slices === undefined ? "-" : digits(value(slices))))
      .join(" / ");
  const each = (value: (slice: Slice) => number): string => cells(({ all }) => median(all.map(value)));
  const ratio = (to: Subject, value: (own: Slice, other: Slice) => number): string => {
    const [own, other] = [measured.get("plugin")?.all ?? [], measured.get(to)?.all];
    return other === undefined ? "-" : median(own.map((one, round) => value(one, other[round] as Slice))).toFixed(2);
  };
  return [
    name,
    String(connections),
    each((one) => one.rate),
    `${ratio("echo", rate)} (${ratio("echo", cost)})`,
    `${ratio("peer", rate)} (${ratio("peer", cost)})`,
    each((one) => one.requestUs),
    each((one) => one.p50Us),
    each((one) => one.p99Us),
    each((one) => one.rss / 2 ** 20),
    cells(({ heap }) => heap / 2 ** 20),
  ];
}

const head = [
  "request",
  "connections",
  "requests/s",
  "of echo",
  "of peer",
  "CPU us",
  "p50 us",
  "p99 us",
  "MB resident",
  "MB heap",
];

/** The servers of one kind of request, each in a process of its own. */
async function started({ node, args }: Commands, index: number, client: ChildProcess): Promise<Map<Subject, Running>> {
  const running = new Map<Subject, Running>();
  let answer = "";
  for (const subject of ["plugin", "peer"] as const) {
    const command = args[subject];
    if (command === undefined) continue;
    const server = await startServer(node, command);
    const kind = kinds(await newFlow(server))[index] as Kind;
    running.set(subject, { server, kind });
    if (subject === "plugin") ({ answer } = await slice(client, { server, kind }, 1, SAMPLE_MS));
  }
  // It knows no flows: any id is as long.
  const kind = kinds(crypto.randomUUID())[index] as Kind;
  if (!kind.noEcho) running.set("echo", { server: await startServer(node, [...args.echo, answer]), kind });
  return running;
}

/** The rows of one kind of request. */
async function measureKind(commands: Commands, index: number, client: ChildProcess): Promise<string[][]> {
  const running = await started(commands, index, client);
  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    const measured = new Map<Subject, Slices>();
    for (const [subject, one] of running) {
      await slice(client, one, connections, WARM_UP_MS);
      measured.set(subject, { all: [], heap: 0 });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [subject, one] of running)
        measured.get(subject)?.all.push(await slice(client, one, connections, one.kind.sliceMs));
    }
    for (const [subject, slices] of measured) slices.heap = (await running.get(subject)?.server.heap()) ?? 0;
    rows.push(rowOf(kinds("")[index]?.name ?? "", connections, measured));
  }
  await Promise.all([...running.values()].map(({ server }) => server.stop()));
  return rows;
}

export const plugin: Measure = {
  about:
    `Each cell: a bare node:http server that reads and parses the same request and writes the same answer ("echo") / this plugin in ` +
    `the embedded gateway / the plugin of the live peer in the same gateway. ` +
    `Medians of ${ROUNDS} slices of each, in turns, of 0.5 s (refusals: 0.25 s), sent by another process over plain sockets; that process never sleeps. ` +
    `Ratios: requests a second of this plugin to those of the same round's other, in brackets the same of requests in a second of processor time. ` +
    `CPU: of the server, for one request. MB: of the server's process after the load, resident, and heap after a garbage collection. ` +
    `Every connection has a client address of its own, and takes another route after 120 requests: no limit refuses what is not to be refused.`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
    const client = fork(join(import.meta.dirname, "load.ts"));
    const commands = await commandsIn(folder);
    const rows: string[][] = [];
    for (const index of kinds("").keys()) rows.push(...(await measureKind(commands, index, client)));
    client.disconnect();
    await rm(folder, { recursive: true });
    const version = execFileSync(commands.node, ["--version"], { encoding: "utf8" }).trim();
    const absent = "The peer is not installed: `npm run conformance:openclaw` installs it.";
    return {
      head,
      rows,
      note: `The servers ran on Node ${version}.${commands.args.peer === undefined ? ` ${absent}` : ""}`,
    };
  },
};
