/** What the process prints while it answers a client: kept by the client's address, to stand beside a failure that it saw. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Of all clients together; the oldest lines go first. */
const MOST_LINES = 5_000;
const LONGEST_LINE = 500;

/** The address of the client whose request is being answered. */
const client = new AsyncLocalStorage<string>();
const lines: { readonly from: string; readonly text: string }[] = [];

/** Off by default: AsyncLocalStorage costs a tenth of the gateway's throughput. */
let isKept = false;

/** Calls `answer`; what it prints, now or later, was printed for this client. */
export function printingFor(from: string | undefined, answer: () => void): void {
  if (isKept) client.run(from ?? "", answer);
  else answer();
}

/** From now on keeps what is written to standard output and standard error while a request is answered. */
export function keepPrinted(): void {
  isKept = true;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]) => {
      const from = client.getStore();
      if (from !== undefined) keep(from, String(args[0]));
      return write(...args);
    };
  }
}

function keep(from: string, text: string): void {
  for (const line of text.split("\n")) if (line.trim() !== "") lines.push({ from, text: line.slice(0, LONGEST_LINE) });
  if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
}

/** What was printed for these clients, oldest first. */
export const printedFor = (addresses: readonly string[]): string[] =>
  lines.filter(({ from }) => addresses.includes(from)).map(({ text }) => text);
