/** The requests of `plugin.ts`: an accepted read and write, and a refusal by each check in its order. */
import { Buffer } from "node:buffer";
import type { Load } from "./load-connection.ts";

export const SECRET = "correct-horse-battery-staple";
/** A client address has a budget of its own on each. */
export const ROUTES = 150;
/** Requests a minute of one address on one route. */
const BUDGET = 120;
/** Requests in flight of one address on one route. */
const SLOTS = 8;
/** Of each connection together, that the in-flight limit refuses in one slice. */
const HELD_ROUTES = 64;

/** Milliseconds of a slice: half a second of what is accepted, a quarter of each refusal. */
const [ACCEPTED_MS, REFUSED_MS] = [500, 250];

export interface Kind {
  readonly name: string;
  readonly status: number;
  readonly sliceMs: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
  /** Requests of a connection to one route before it goes on to the next; default the budget. */
  readonly perRoute?: number;
  /** Requests of a connection before the time starts. */
  readonly before?: number;
  /** All slots are taken by requests that never end. */
  readonly isHeld?: boolean;
  /** The server closes the connection after its answer. */
  readonly reconnects?: boolean;
  /** The echo cannot answer it: it reads every body to its end. */
  readonly noEcho?: boolean;
}

/** `flowId`: of a flow that exists. */
export function kinds(flowId: string): readonly Kind[] {
  const body = JSON.stringify({ action: "get_flow", flowId });
  const accepted = { status: 200, sliceMs: ACCEPTED_MS };
  const refused = { sliceMs: REFUSED_MS, body };
  const limited = { ...refused, status: 429 };
  return [
    { ...accepted, name: "get_flow", body },
    { ...accepted, name: "create_flow", body: JSON.stringify({ action: "create_flow", goal: "Ship the parcel" }) },
    { ...refused, name: "method, 405", status: 405, method: "PUT" },
    { ...refused, name: "content type, 415", status: 415, headers: { "Content-Type": "text/plain" } },
    { ...limited, name: "rate limit, 429", perRoute: Number.MAX_SAFE_INTEGER, before: BUDGET },
    { ...limited, name: "in flight, 429", perRoute: BUDGET - SLOTS, isHeld: true },
    { ...refused, name: "secret, 401", status: 401, headers: { Authorization: "Bearer guess" } },
    {
      ...refused,
      name: "body too large, 413",
      status: 413,
      headers: { "Content-Length": 262_145 },
      body: "",
      reconnects: true,
      noEcho: true,
    },
    { ...refused, name: "not JSON, 400", status: 400, body: "{not json" },
    {
      ...refused,
      name: "unknown field, 400",
      status: 400,
      body: JSON.stringify({ action: "get_flow", flowId, extra: 1 }),
    },
  ];
}

export const routeId = (route: number): string => `r${route}`;
export const pathOf = (route: number): string => `/plugins/webhooks/${routeId(route)}`;

/** The bytes of one request for each route, and the heads that hold the slots of each. */
export function textsOf(kind: Kind, connections: number): Pick<Load, "requests" | "held" | "perRoute" | "before"> {
  const count = kind.isHeld ? Math.ceil(HELD_ROUTES / connections) : ROUTES;
  const requests = Array.from({ length: count }, (_, route) => textOf(kind, route));
  const heads = requests.map((text) => `${text.slice(0, text.indexOf("\r\n\r\n"))}\r\nExpect: 100-continue\r\n\r\n`);
  const held = kind.isHeld ? heads.flatMap((head) => Array.from({ length: SLOTS }, () => head)) : [];
  return { requests, held, perRoute: kind.perRoute ?? BUDGET, before: kind.before ?? 0 };
}

function textOf({ method = "POST", headers = {}, body = "" }: Kind, route: number): string {
  const all = {
    Host: "127.0.0.1",
    "Content-Type": "application/json",
    Authorization: `Bearer ${SECRET}`,
    "Content-Length": Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathOf(route)} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
