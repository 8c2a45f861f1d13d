/**
 * Servers that know nothing of the interface and answer everything alike. A case that one of them passes proves nothing
 * by that: no required case may.
 */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createDrivenClock } from "../../fakes/clock.ts";
import { startControl } from "../../fakes/control.ts";
import { closeServer, listen } from "../../fakes/gateway.ts";
import { createManagedFlows } from "../../fakes/managed-flows.ts";

interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Stub {
  readonly id: string;
  /** `hangs`: accepts connections and never answers; `refuses`: does not listen. */
  readonly answer: ((routeId: string, body: Record<string, unknown>) => StubAnswer) | "hangs" | "refuses";
}

const bare = (status: number, body: string) => () => ({ status, headers: { "content-type": "text/plain" }, body });

/** Echoes strings only: a value nested 100,000 deep would overflow the stub's stack. */
const textOr = (otherwise: string, value: unknown): string => (typeof value === "string" ? value : otherwise);

export const stubs: readonly Stub[] = [
  { id: "empty-200", answer: () => ({ status: 200, body: {} }) },
  { id: "ok-alone", answer: () => ({ status: 200, body: { ok: true } }) },
  { id: "bare-400", answer: bare(400, "Bad Request") },
  { id: "bare-401", answer: bare(401, "Unauthorized") },
  {
    id: "always-ok",
    answer: (routeId, { flowId, expectedRevision, goal }) => {
      const revision = typeof expectedRevision === "number" ? expectedRevision + 1 : 0;
      const flow = { flowId: textOr("flow-1", flowId), revision, status: "waiting", goal: textOr("goal", goal) };
      return { status: 200, body: { ok: true, routeId, result: { flow } } };
    },
  },
  {
    id: "always-401",
    answer: (routeId) => ({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
      body: { ok: false, routeId, code: "unauthorized", error: "Unauthorized.", result: {} },
    }),
  },
  { id: "hangs", answer: "hangs" },
  { id: "refuses", answer: "refuses" },
];

/** With a control port that accepts every call, so that no case is left out for a missing capability; 0 takes a free port. */
export async function startStub({ answer }: Stub, port: number, controlPort: number) {
  const drivenClock = createDrivenClock();
  const flows = createManagedFlows({ clock: drivenClock.clock });
  const control = await startControl({ port: controlPort, flows, logs: () => ["started"], drivenClock });
  const server = createServer(async (request, response) => {
    if (typeof answer !== "function") return;
    const sent = await json(request).catch(() => undefined);
    // A default path ends in the route's id.
    const routeId = request.url?.split("?")[0]?.split("/").at(-1) ?? "";
    const { status, headers, body } = answer(routeId, { ...(sent as object) });
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const origin = `http://127.0.0.1:${await listen(server, port)}`;
  if (answer === "refuses") server.close();
  const stop = async () => void (await Promise.all([closeServer(server), control.close()]));
  return { origin, control: control.url, stop };
}
