/** The process that sends for `plugin.ts`: plain sockets, so that not the client but the server is measured. */
import { Connection, type Load } from "./load-connection.ts";

export interface Sent {
  readonly requests: number;
  readonly ms: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** One of the answers, its head and its body. */
  readonly answer: string;
}

/** Address number `count` of 127.0.0.0/8, from 127.1.0.0 on. */
const addressOf = (count: number): string => `127.${1 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}`;

/** Opens all connections; the function returned sends. */
async function prepared(load: Load): Promise<() => Promise<Sent>> {
  const all = Array.from(
    { length: load.connections },
    (_, index) => new Connection(load, addressOf(load.firstAddress + index)),
  );
  const holders = all.flatMap(({ address }) => load.held.map((head) => ({ head, by: new Connection(load, address) })));
  await Promise.all([...all.map((one) => one.open()), ...holders.map(({ head, by }) => by.hold(head))]);
  await Promise.all(all.map((one) => one.sendFirst(load.before)));
  return async () => {
    const sleep = stayAwake();
    const start = performance.now();
    const latencies = (await Promise.all(all.map((one) => one.sendUntil(start + load.ms)))).flat();
    const ms = performance.now() - start;
    sleep();
    for (const one of [...all, ...holders.map(({ by }) => by)]) one.close();
    latencies.sort((a, b) => a - b);
    const at = (share: number): number => (latencies[Math.floor(latencies.length * share)] ?? 0) * 1000;
    return { requests: latencies.length, ms, p50Us: at(0.5), p99Us: at(0.99), answer: all[0]?.answer ?? "" };
  };
}

/**
 * Keeps this process from sleeping until the function returned is called. The kernel bills whoever writes for waking the
 * reader: a server slower than this process would pay for that with every answer, a faster one would not.
 */
function stayAwake(): () => void {
  let next: NodeJS.Immediate;
  const turn = (): void => {
    next = setImmediate(turn);
  };
  turn();
  return () => clearImmediate(next);
}

let sendNow: (() => Promise<Sent>) | undefined;

/** Gets a load and answers when all is open; gets `go` and answers with what was sent. */
async function answerTo(message: Load | "go"): Promise<unknown> {
  if (message === "go") return sendNow?.();
  sendNow = await prepared(message);
  return "ready";
}

process.on("message", (message: Load | "go") => {
  void answerTo(message)
    .catch((error: unknown) => ({ error: String(error) }))
    .then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());
