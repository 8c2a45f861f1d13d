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
import { commandsIn, startServer, subjects, type Meter, type Server, type Subject } from "./plugin-servers.ts";

const ROUNDS = 10;
const WARM_UP_MS = 500;
const CONNECTIONS = [1, 8, 64];

/** One slice of load on one subject. */
interface Slice extends Sent, Meter {
  readonly rate: number;
  /** Processor time of the server for one request. */
  readonly requestUs: number;
}

interface Running {
  readonly server: Server;
  readonly kind: Kind;
  readonly status: number;
}

let addresses = 0;

/** No two slices use the same client addresses: each has its whole budget. */
async function slice(client: ChildProcess, { server, kind, status }: Running, connections: number, ms: number) {
  const { reconnects = false } = kind;
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

const digits = (value: number, after = 0): string =>
  value.toLocaleString("en", { minimumFractionDigits: after, maximumFractionDigits: after });

/** The cells of one row: medians of each subject's slices, and of the ratios of the slices of one round. */
function rowOf(name: string, connections: number, slices: ReadonlyMap<Subject, readonly Slice[]>): string[] {
  const each = (value: (slice: Slice) => number, after = 0): string =>
    subjects
      .map((subject) => slices.get(subject)?.map(value))
      .map((values) => (values === undefined ? "-" : digits(median(values), after)))
      .join(" / ");
  const ratio = (to: Subject, value: (own: Slice, other: Slice) => number): string => {
    const [own = [], others] = [slices.get("plugin"), slices.get(to)];
    return others === undefined ? "-" : median(own.map((one, round) => value(one, others[round] as Slice))).toFixed(2);
  };
  const rate = (own: Slice, other: Slice): number => own.rate / other.rate;
  const cost = (own: Slice, other: Slice): number => other.requestUs / own.requestUs;
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
    each((one) => one.heap / 2 ** 20),
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

export const plugin: Measure = {
  about:
    `Each cell: bare node:http JSON echo / this plugin in the embedded gateway / the plugin of the live peer in the same gateway. ` +
    `Medians of ${ROUNDS} slices of each, in turns, of 0.5 s (refusals: 0.25 s), sent by another process over plain sockets. ` +
    `Ratios: requests a second of this plugin to those of the same round's other, in brackets the same of requests in a second of processor time. ` +
    `CPU: of the server, for one request. MB: of the server's process after the load, resident, and heap after a garbage collection. ` +
    `Every connection has a client address of its own, and takes another route after 120 requests: no limit refuses what is not to be refused.`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
    const client = fork(join(import.meta.dirname, "load.ts"));
    const { node, args } = await commandsIn(folder);
    const rows: string[][] = [];
    for (const [index, { name, sliceMs }] of kinds("").entries()) {
      const running = new Map<Subject, Running>();
      for (const subject of subjects) {
        const command = args[subject];
        if (command === undefined) continue;
        const server = await startServer(node, command);
        const isEcho = subject === "echo";
        const kind = kinds(isEcho ? crypto.randomUUID() : await newFlow(server))[index] as Kind;
        if (isEcho && kind.noEcho) await server.stop();
        else running.set(subject, { server, kind, status: isEcho ? 200 : kind.status });
      }
      for (const connections of CONNECTIONS) {
        const slices = new Map<Subject, Slice[]>([...running.keys()].map((subject) => [subject, []]));
        for (const one of running.values()) await slice(client, one, connections, WARM_UP_MS);
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [subject, one] of running)
            slices.get(subject)?.push(await slice(client, one, connections, sliceMs));
        }
        rows.push(rowOf(name, connections, slices));
      }
      await Promise.all([...running.values()].map(({ server }) => server.stop()));
    }
    client.disconnect();
    await rm(folder, { recursive: true });
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    const absent = "The peer is not installed: `npm run conformance:openclaw` installs it.";
    return { head, rows, note: `The servers ran on Node ${version}.${args.peer === undefined ? ` ${absent}` : ""}` };
  },
};
