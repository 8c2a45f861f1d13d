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

interface StubRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Stub {
  readonly id: string;
  readonly what: string;
  /** `hangs`: accepts connections and never answers; `refuses`: does not listen. */
  readonly answer: ((request: StubRequest) => StubAnswer) | "hangs" | "refuses";
}

const bare = (status: number, body: string) => () => ({ status, headers: { "content-type": "text/plain" }, body });

/** The id that a default path ends in. */
const routeIdOf = ({ path }: StubRequest): string => path.split("?")[0]?.split("/").at(-1) ?? "";

/** Echoes strings only: a value nested 100,000 deep would overflow the stub's stack. */
const textOr = (otherwise: string, value: unknown): string => (typeof value === "string" ? value : otherwise);

export const stubs: readonly Stub[] = [
  { id: "empty-200", what: "answers 200 {} to everything", answer: () => ({ status: 200, body: {} }) },
  {
    id: "ok-alone",
    what: 'answers 200 {"ok":true} to everything',
    answer: () => ({ status: 200, body: { ok: true } }),
  },
  { id: "bare-400", what: "answers 400 in bare text to everything", answer: bare(400, "Bad Request") },
  { id: "bare-401", what: "answers 401 in bare text to everything", answer: bare(401, "Unauthorized") },
  {
    id: "always-ok",
    what: "answers a perfect success to everything",
    answer: (request) => {
      const { flowId, expectedRevision, goal } = request.body;
      const revision = typeof expectedRevision === "number" ? expectedRevision + 1 : 0;
      const flow = { flowId: textOr("flow-1", flowId), revision, status: "waiting", goal: textOr("goal", goal) };
      return { status: 200, body: { ok: true, routeId: routeIdOf(request), result: { flow } } };
    },
  },
  {
    id: "always-401",
    what: "answers a perfect authentication failure to everything",
    answer: (request) => ({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
      body: { ok: false, routeId: routeIdOf(request), code: "unauthorized", error: "Unauthorized.", result: {} },
    }),
  },
  { id: "hangs", what: "accepts connections and never answers", answer: "hangs" },
  { id: "refuses", what: "refuses connections", answer: "refuses" },
];

/** With a control port that accepts every call, so that no case is left out for a missing capability; 0 takes a free port. */
export async function startStub({ answer }: Stub, port: number, controlPort: number) {
  const drivenClock = createDrivenClock();
  const flows = createManagedFlows({ clock: drivenClock.clock });
  const control = await startControl({ port: controlPort, flows, logs: () => ["started"], drivenClock });
  const server = createServer(async (request, response) => {
    if (typeof answer !== "function") return;
    const sent = await json(request).catch(() => undefined);
    const { status, headers, body } = answer({ path: request.url ?? "", body: { ...(sent as object) } });
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const origin = `http://127.0.0.1:${await listen(server, port)}`;
  if (answer === "refuses") server.close();
  const stop = async () => void (await Promise.all([closeServer(server), control.close()]));
  return { origin, control: control.url, stop };
}
