/** Calls handlers in this process: each story has a handler of its own, so no state leaks into the next. */
import { digestsOf, secretsOfRoutes } from "../../harness/leaks.ts";
import { DirectClient, laneSetup } from "../../targets/direct.ts";
import type { Handler, HandlerSetup } from "../../targets/handler.ts";
import type { PersistenceFault } from "../../targets/control.ts";
import type { Executor } from "./executor.ts";

/** What a control port offers over HTTP, called directly; what is absent is not tested. */
interface Levers {
  /** Values planted in owner and requester fields: none may be in an answer. */
  readonly canaries?: readonly string[];
  /** Moves a driven clock on by `ms`; settles after the timers that fell due have run. */
  advance?(ms: number): Promise<unknown>;
  settle?(flowId: string, taskId: string, status: string): unknown;
  persistence?(fail: readonly PersistenceFault[]): unknown;
}

interface DirectSubject {
  readonly handler: Handler;
  readonly levers?: Levers;
}

/** Makes a handler for one story. */
export type DirectFactory = (setup: HandlerSetup) => DirectSubject | Promise<DirectSubject>;

interface DirectOptions {
  readonly product: string;
  /** An empty folder for the handlers' state. */
  readonly stateDir: string;
  /** Longest wait for one answer, ms. */
  readonly timeoutMs: number;
  /** Gets what a handler throws. */
  readonly log: (text: string) => void;
}

/** Hands out executors, each around a handler of its own. */
export function directExecutors(make: DirectFactory, options: DirectOptions): () => Promise<Executor> {
  const { product, stateDir, timeoutMs, log } = options;
  const { routes, setup } = laneSetup(stateDir);
  const keys = [...new Set(Object.values(routes).map(({ sessionKey }) => sessionKey))];
  const bound = keys.flatMap((value) => [{ name: "a session key", value }, digestsOf(value)]);
  const known = [...bound, ...secretsOfRoutes(...Object.values(routes))];
  return async () => {
    const { handler, levers = {} } = await make(setup);
    const client = new DirectClient(handler, timeoutMs, log);
    const { canaries = [], advance, settle, persistence } = levers;
    let passed = 0;
    return {
      routes,
      product,
      fresh: true,
      canaries: [...known, ...canaries.map((value) => ({ name: "owner or requester metadata", value }))],
      driven: advance !== undefined,
      send: (request, number) => client.send(request, addressOf(number)),
      hold: async (request, number) => client.hold(request, addressOf(number)),
      barrier: () => new Promise((resolve) => void setImmediate(resolve)),
      now: () => (advance === undefined ? performance.now() : passed),
      async pass(ms) {
        passed += ms;
        if (advance === undefined) await new Promise((resolve) => void setTimeout(resolve, ms));
        else await advance(ms);
      },
      ...(settle && { settle: async (...task) => void (await settle(...task)) }),
      ...(persistence && { persist: async (fail) => void (await persistence(fail)) }),
    };
  };
}

/** An address for each client of a story: 127.1.0.1, ... */
function addressOf(client: number): string {
  return `127.1.${client >> 8}.${client & 255}`;
}
