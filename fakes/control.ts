/** The control port: what a suite may read or change in this process beside its routes. JSON over HTTP, loopback only. */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import type { DrivenClock } from "./clock.ts";
import { closeServer, listen, startGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
import { StartError } from "./errors.ts";
import { printedFor } from "./printed.ts";
import { checkDocument } from "./document.ts";
import { variablesIn } from "./secrets.ts";
import { canaries, flowStatuses, persistedOperations, taskStatuses, type ManagedFlowsFake } from "./managed-flows.ts";

const largestBodyBytes = 65_536;
const longestAdvanceMs = 86_400_000_000;
/** The variable of the token that each call has to carry: any user of the machine can reach a port on loopback. */
export const controlToken = "WEBHOOKS_CONTROL_TOKEN";
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

export interface ControlOptions {
  /** 0 takes a free port. */
  port: number;
  /** Each call needs it as `Authorization: Bearer`; absent: none does. */
  token?: string | undefined;
  flows: ManagedFlowsFake;
  /** The gateway's log lines, oldest first. */
  logs: () => string[];
  /** Present when time is driven: declares the capability `clock`. */
  drivenClock?: DrivenClock | undefined;
  /** Loads the configuration again with these variables set (null: removed); rejects with StartError. */
  reload?: ((environment: Record<string, string | null>) => Promise<void>) | undefined;
  /** Answers some calls in place of the port: true for those. */
  answersFirst?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export interface Control {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

interface Endpoint {
  method: "GET" | "POST";
  answer(body: unknown): unknown;
}

const get = (answer: () => unknown): Endpoint => ({ method: "GET", answer });

/** A POST call whose body is checked against a schema. */
function post<Body>(schema: z.ZodType<Body>, answer: (body: Body) => unknown): Endpoint {
  return {
    method: "POST",
    answer: (body) => {
      const checked = schema.safeParse(body);
      if (checked.success) return answer(checked.data);
      const [issue] = checked.error.issues;
      throw new Refusal(400, `${issue?.path.join(".") || "the body"}: ${issue?.message}`);
    },
  };
}

function endpointsOf({ flows, logs, drivenClock, reload }: ControlOptions): Map<string, Endpoint> {
  const capabilities = [
    ...(drivenClock ? ["clock"] : []),
    "children",
    "persistence",
    "sessions",
    "logs",
    ...(reload ? ["reload"] : []),
  ];
  const milliseconds = z.strictObject({ ms: z.int().min(0).max(longestAdvanceMs) });
  const settlement = z.strictObject({ flowId: z.string(), taskId: z.string(), status: z.enum(taskStatuses) });
  const failures = z.strictObject({ fail: z.array(z.enum(persistedOperations)) });
  const change = z.strictObject({ environment: z.record(z.string(), z.string().nullable()) });
  const printed = z.strictObject({ addresses: z.array(z.string()) });
  const seed = z.strictObject({
    sessionKey: z.string().min(1),
    managed: z.boolean().optional(),
    status: z.enum(flowStatuses).optional(),
    goal: z.string().optional(),
  });
  const calls: Readonly<Record<string, Endpoint>> = {
    "/capabilities": get(() => ({ capabilities, canaries, runtime: flows.kind, gateway: "embedded" })),
    "/left": get(() => ({ left: flows.left })),
    "/logs": get(() => ({ lines: logs() })),
    "/printed": post(printed, ({ addresses }) => ({ lines: printedFor(addresses) })),
    "/clock/advance": post(milliseconds, async ({ ms }) => {
      if (drivenClock === undefined) throw new Refusal(404, "the clock is real: start with --clock driven");
      return { now: await drivenClock.advance(ms) };
    }),
    "/tasks/settle": post(settlement, (wanted) => {
      if (flows.settle(wanted) === null) throw new Refusal(404, "no such task: expected a taskId of the flow flowId");
      return {};
    }),
    "/persistence": post(failures, ({ fail }) => {
      flows.failPersistence(fail);
      return { fail };
    }),
    "/reload": post(change, async ({ environment }) => {
      if (reload === undefined) throw new Refusal(404, "this gateway has no configuration file to read again");
      try {
        await reload(environment);
        return {};
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        return { refused: error.message };
      }
    }),
    "/flows/seed": post(seed, (wanted) => {
      const { flowId, revision } = flows.seed(wanted);
      return { flowId, revision };
    }),
  };
  return new Map(Object.entries(calls));
}

/** Serves the control port on 127.0.0.1. Rejects with StartError when the port is not available. */
export async function startControl(options: ControlOptions): Promise<Control> {
  const endpoints = endpointsOf(options);
  const server = createServer((request, response) => {
    if (options.answersFirst?.(request, response) !== true) void respond(endpoints, request, response, options.token);
  });
  const port = await listen(server, options.port);
  return { port, url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

interface GatewayWithControlOptions extends GatewayOptions, Pick<ControlOptions, "answersFirst"> {
  /** Absent: no control port. 0 takes a free one. */
  controlPort: number | undefined;
  drivenClock: DrivenClock | undefined;
  /** Reads the configuration document again; absent where it comes from no file. */
  readAgain?: (() => Promise<unknown>) | undefined;
}

interface GatewayWithControl {
  readonly gateway: Gateway;
  readonly control: Control | undefined;
  close(): Promise<void>;
}

/** Starts both or none. Rejects with StartError. */
export async function startGatewayWithControl({
  controlPort,
  drivenClock,
  readAgain,
  answersFirst,
  ...options
}: GatewayWithControlOptions): Promise<GatewayWithControl> {
  const { [controlToken]: token, ...commandEnv } = options.env ?? process.env;
  const env = { ...commandEnv };
  const gateway = await startGateway({ ...options, env, commandEnv });
  const reload = async (environment: Record<string, string | null>) => {
    const next = checkDocument(await readAgain?.());
    const named = variablesIn(next);
    const other = Object.keys(environment).find((name) => environment[name] !== null && !named.has(name));
    if (other !== undefined) throw new Refusal(400, `environment.${other}: expected a variable that a secret names`);
    for (const [name, value] of Object.entries(environment)) {
      if (value === null) delete env[name];
      else env[name] = value;
    }
    await gateway.reload(next);
  };
  try {
    const { flows } = options;
    const levers = { token, flows, logs: gateway.logs, drivenClock, reload: readAgain && reload, answersFirst };
    const control = controlPort === undefined ? undefined : await startControl({ port: controlPort, ...levers });
    return { gateway, control, close: async () => void (await Promise.all([control?.close(), gateway.close()])) };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

async function respond(
  endpoints: Map<string, Endpoint>,
  request: IncomingMessage,
  response: ServerResponse,
  token: string | undefined,
): Promise<void> {
  try {
    write(response, 200, await route(endpoints, request, token));
  } catch (error) {
    if (error instanceof Refusal) write(response, error.status, { error: error.message }, error.headers);
    else write(response, 500, { error: String(error) });
  }
}

async function route(endpoints: Map<string, Endpoint>, request: IncomingMessage, token?: string): Promise<unknown> {
  // Keeps web pages out: DNS rebinding shows in Host, a cross-origin request in Origin.
  if (!loopbackHost.test(request.headers.host ?? "")) throw new Refusal(403, "Host: expected a loopback address");
  if (request.headers.origin !== undefined) throw new Refusal(403, "Origin: expected none");
  if (token !== undefined && !isAlike(request.headers.authorization ?? "", `Bearer ${token}`)) {
    throw new Refusal(401, `Authorization: expected Bearer and the token of ${controlToken}`, {
      "www-authenticate": "Bearer",
    });
  }
  const endpoint = endpoints.get(request.url ?? "");
  if (endpoint === undefined) {
    throw new Refusal(404, `no such call: expected one of ${[...endpoints.keys()].join(", ")}`);
  }
  if (request.method !== endpoint.method) {
    throw new Refusal(405, `method: expected ${endpoint.method}`, { allow: endpoint.method });
  }
  return endpoint.answer(endpoint.method === "POST" ? await readJson(request) : undefined);
}

/** In the same time wherever they differ, and however long they are. */
function isAlike(...texts: [string, string]): boolean {
  const [one, other] = texts.map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}

/** A plugin that is judged runs in this process, and what it puts into Object.prototype is no member of a body. */
const withoutPrototype = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.assign(Object.create(null), value)
    : value;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A body that is too long is still read to its end: leaving the loop would close the connection before the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= largestBodyBytes) chunks.push(chunk);
  }
  if (bytes > largestBodyBytes) throw new Refusal(400, `the body: expected at most ${largestBodyBytes} bytes`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"), withoutPrototype);
  } catch {
    throw new Refusal(400, "the body: expected JSON");
  }
}

function write(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}
