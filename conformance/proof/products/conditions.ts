/** When a fault shows: values of factors, as questions to a request under way. A fault with none shows always. */
import type { Route } from "../../../plugin/config.ts";
import type { Exchange } from "../../../plugin/contract.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import type { Change } from "../subject.ts";

export interface Condition<Met> {
  readonly what: string;
  holds(met: Met): boolean;
}

/** A way to break something. */
export interface Operator<Met> {
  readonly what: string;
  /** Conditions that it makes no sense with, by words in their text. */
  readonly not?: RegExp;
  when(condition: Condition<Met>): Change;
}

const header = ({ request }: Exchange, name: string): string => String(request.headers[name] ?? "");
const isDefaultPath = ({ context: { route } }: Exchange): boolean => route.path === `/plugins/webhooks/${route.id}`;

/** Requests that a connection has carried, by its socket. */
const carried = new WeakMap<object, { requests: number; last: object }>();
function isLater({ request }: Exchange): boolean {
  const known = carried.get(request.socket);
  if (known === undefined) {
    carried.set(request.socket, { requests: 1, last: request });
    return false;
  }
  if (known.last !== request) Object.assign(known, { requests: known.requests + 1, last: request });
  return known.requests > 1;
}

/** Asked as soon as the head of the request is there. */
export const headConditions: readonly Condition<Exchange>[] = [
  { what: "always", holds: () => true },
  { what: "on a route with a configured path", holds: (exchange) => !isDefaultPath(exchange) },
  { what: "on a route with its default path", holds: isDefaultPath },
  {
    what: "on a route with a controllerId of its own",
    holds: ({ context: { route } }) => route.controllerId !== `webhooks/${route.id}`,
  },
  { what: "on a route without its secret", holds: ({ context: { route } }) => typeof route.secret !== "string" },
  { what: "from 127.0.0.1", holds: ({ request }) => request.socket.remoteAddress?.endsWith("127.0.0.1") === true },
  { what: "for bodies of an announced length", holds: (exchange) => Number(header(exchange, "content-length")) > 0 },
  { what: "for chunked bodies", holds: (exchange) => header(exchange, "transfer-encoding") !== "" },
  { what: "with Expect", holds: (exchange) => header(exchange, "expect") !== "" },
  { what: "for HTTP/1.0", holds: ({ request }) => request.httpVersion === "1.0" },
  { what: "with a query", holds: ({ request }) => request.url?.includes("?") === true },
  { what: "with the product header", holds: ({ request }) => request.headers.authorization === undefined },
  { what: "with a parameter of the type", holds: (exchange) => header(exchange, "content-type").includes(";") },
  { what: "later on its connection", holds: isLater },
  { what: "with header names in capitals", holds: ({ request }) => request.rawHeaders.includes("HOST") },
  { what: "for GET", holds: ({ request }) => request.method === "GET" },
  { what: "for DELETE", holds: ({ request }) => request.method === "DELETE" },
  { what: "for HEAD", holds: ({ request }) => request.method === "HEAD" },
  { what: "for PUT", holds: ({ request }) => request.method === "PUT" },
  { what: "without a content type", holds: (exchange) => header(exchange, "content-type") === "" },
  { what: "with an empty body", holds: (exchange) => header(exchange, "content-length") === "0" },
  { what: "with Basic credentials", holds: (exchange) => /^basic /i.test(header(exchange, "authorization")) },
];

interface Answered {
  readonly action: string;
  readonly code: string | undefined;
  /** The revision that was sent, and the one that was shown. */
  readonly sent: unknown;
  readonly shown: unknown;
  /** The route that answered. */
  readonly routeId: string;
}

/** What an action is about when it begins. */
export interface About {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The flow, and every flow of the session. */
  readonly flow: FlowRecord | undefined;
  readonly flows: readonly FlowRecord[];
  readonly route: Route;
  /** The run_task that the flow had, oldest first. */
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
  /** What was answered about the flow before, oldest first. */
  readonly past: readonly Answered[];
}

const has = ({ tasks }: About, fits: (task: Readonly<Record<string, unknown>>) => boolean): boolean => tasks.some(fits);
const applied = ({ past }: About, name: string): number =>
  past.filter(({ action, code }) => action === name && code === undefined).length;
const refusedWith = ({ past }: About, name: string): boolean => past.some(({ code }) => code === name);
const unstored = ({ past }: About): readonly Answered[] => past.filter(({ code }) => code === "persist_failed");
const isReading = ({ action }: Answered): boolean => /^(get|resolve)_/.test(action);
const hasEnded = ({ endedAt }: FlowRecord): boolean => endedAt !== undefined;

/** How a revision that was sent is beside the current one. */
const revisionConditions: readonly { what: string; holds(sent: number, current: number): boolean }[] = [
  { what: "is five behind or more", holds: (sent, current) => current - sent >= 5 },
  { what: "is six behind", holds: (sent, current) => current - sent === 6 },
  { what: "is older and greater as a text", holds: (sent, current) => sent < current && `${sent}` > `${current}` },
  { what: "is ahead", holds: (sent, current) => sent > current },
  { what: "has the right last digit", holds: (sent, current) => sent !== current && sent % 10 === current % 10 },
  {
    what: "begins with the right digits",
    holds: (sent, current) => sent < 2 ** 31 && sent !== current && String(sent).startsWith(String(current)),
  },
];

export const flowConditions: readonly Condition<About>[] = [
  { what: "always", holds: () => true },
  ...["queued", "waiting", "blocked", "succeeded", "failed", "cancelled"].map((status) => ({
    what: `of a flow that is ${status}`,
    holds: ({ flow }: About) => flow?.status === status,
  })),
  { what: "of a flow that has ended", holds: ({ flow }) => flow !== undefined && hasEnded(flow) },
  { what: "of a flow asked to cancel", holds: ({ flow }) => flow?.cancelRequestedAt !== undefined },
  { what: "of a flow that a sibling created", holds: ({ flow, route }) => flow?.controllerId !== route.controllerId },
  {
    what: "with the revision that its route made last",
    holds: ({ fields, past, route }) =>
      past.findLast((one) => one.routeId === route.id && one.code === undefined && !isReading(one))?.shown ===
      fields["expectedRevision"],
  },
  { what: "of a flow with a child", holds: (about) => has(about, () => true) },
  { what: "of a flow with an acp child", holds: (about) => has(about, ({ runtime }) => runtime === "acp") },
  { what: "of a flow with a queued child", holds: (about) => has(about, ({ status }) => status !== "running") },
  { what: "of a flow with a running child", holds: (about) => has(about, ({ status }) => status === "running") },
  {
    what: "of a flow whose child has a session key",
    holds: (about) => has(about, ({ childSessionKey }) => typeof childSessionKey === "string"),
  },
  { what: "of a flow with two children", holds: ({ tasks }) => tasks.length > 1 },
  { what: "of a flow that was resumed", holds: (about) => applied(about, "resume_flow") > 0 },
  { what: "of a flow that was resumed twice", holds: (about) => applied(about, "resume_flow") > 1 },
  {
    what: "of a flow whose cancellation was requested twice",
    holds: (about) => applied(about, "request_cancel") > 1,
  },
  {
    what: "of a flow whose cancellation was requested, at even revisions",
    holds: ({ flow }) => flow?.cancelRequestedAt !== undefined && flow.revision % 2 === 0,
  },
  { what: "of a flow that had a conflict", holds: (about) => refusedWith(about, "revision_conflict") },
  { what: "of a flow of which a change was rejected", holds: (about) => refusedWith(about, "mutation_rejected") },
  {
    what: "of a flow that had two conflicts with this revision",
    holds: ({ past, fields: { expectedRevision } }) =>
      past.filter(({ code, sent }) => code === "revision_conflict" && sent === expectedRevision).length > 1,
  },
  {
    what: "of a flow whose latest change could not be stored",
    holds: ({ past }) =>
      past.findLast((one) => !isReading(one) && [undefined, "persist_failed"].includes(one.code))?.code ===
      "persist_failed",
  },
  {
    what: "of a flow of which two changes could not be stored",
    holds: (about) => unstored(about).filter(({ action }) => action !== "run_task").length === 2,
  },
  {
    what: "of a flow of which a task could not be stored",
    holds: (about) => unstored(about).some(({ action }) => action === "run_task"),
  },
  { what: "at the first revision", holds: ({ flow }) => flow?.revision === 0 },
  { what: "beyond the third revision", holds: ({ flow }) => (flow?.revision ?? 0) > 3 },
  { what: "of the session's first flow", holds: ({ flow, flows }) => flows[0] !== undefined && flow === flows[0] },
  {
    what: "of a flow with 50 newer ones in the session",
    holds: ({ flow, flows }) => flow !== undefined && flows.length - flows.indexOf(flow) > 50,
  },
  { what: "with more than 20 flows in the session", holds: ({ flows }) => flows.length > 20 },
  { what: "when every flow of the session has ended", holds: ({ flows }) => flows.every(hasEnded) },
  ...revisionConditions.map(({ what, holds }) => ({
    what: `with a revision that ${what}`,
    holds: ({ flow, fields }: About) =>
      typeof fields["expectedRevision"] === "number" && holds(fields["expectedRevision"], flow?.revision ?? 0),
  })),
];
