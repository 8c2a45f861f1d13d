/** Runs a stub, in this process or as one of its own: `stub-server.ts --stub ID --port N --control-port M`. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createDrivenClock } from "../../fakes/clock.ts";
import { startControl } from "../../fakes/control.ts";
import { createManagedFlows } from "../../fakes/managed-flows.ts";
import type { Launch } from "../targets/launch.ts";
import { stubs, type Stub, type StubRequest } from "./stubs.ts";

interface RunningStub {
  readonly origin: string;
  readonly control: string;
  close(): Promise<void>;
}

/** With a control port that accepts every call, so that no case is left out for a missing capability. */
async function startStub({ answer }: Stub, ports: { port: number; controlPort: number }): Promise<RunningStub> {
  const drivenClock = createDrivenClock();
  const flows = createManagedFlows({ clock: drivenClock.clock });
  const control = await startControl({ port: ports.controlPort, flows, logs: () => ["started"], drivenClock });
  const server = createServer((request, response) => {
    if (typeof answer === "function") void respond(answer, request, response);
  });
  await once(server.listen(ports.port, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : ports.port;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await control.close();
  };
  if (answer === "refuses") server.close();
  return { origin: `http://127.0.0.1:${port}`, control: control.url, close };
}

async function respond(
  answer: (request: StubRequest) => { status: number; headers?: Readonly<Record<string, string>>; body: unknown },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers = {}, body } = answer({ path: request.url ?? "", body: await bodyOf(request) });
  for (const [name, value] of Object.entries({ "content-type": "application/json", ...headers })) {
    response.setHeader(name, value);
  }
  response.statusCode = status;
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function launchOfStub(stub: Stub): Launch {
  return async () => {
    const { origin, control, close } = await startStub(stub, { port: 0, controlPort: 0 });
    return { origin, control, ending: undefined, stderrTail: "", stop: close };
  };
}

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { stub: text, port: text, "control-port": text } });
  const stub = stubs.find(({ id }) => id === values.stub);
  if (stub === undefined) throw new Error(`--stub: expected one of ${stubs.map(({ id }) => id).join(", ")}`);
  const { origin } = await startStub(stub, { port: Number(values.port), controlPort: Number(values["control-port"]) });
  process.stdout.write(`${stub.id} on ${origin}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
