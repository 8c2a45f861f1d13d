/** When a fault shows: values of factors, as questions to a request under way. A fault with none shows always. */
import type { Route } from "../../../plugin/config.ts";
import type { Exchange } from "../../../plugin/contract.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import type { Change } from "../subject.ts";

export interface Condition<Met> {
  readonly what: string;
  holds(met: Met): boolean;
}

export interface Operator<Met> {
  readonly what: string;
  /** Conditions that it makes no sense with, by words in their text. */
  readonly not: RegExp;
  when(condition: Condition<Met>): Change;
}

/** Operators by what is said of them. */
export const operators = <Met>(
  table: Readonly<Record<string, readonly [not: RegExp, when: Operator<Met>["when"]]>>,
): Operator<Met>[] => Object.entries(table).map(([what, [not, when]]) => ({ what, not, when }));

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

/** Conditions by what is said of them. */
const conditions = <Met>(table: Readonly<Record<string, (met: Met) => boolean>>): Condition<Met>[] =>
  Object.entries(table).map(([what, holds]) => ({ what, holds }));

/** Asked as soon as the head of the request is there. */
export const headConditions = conditions<Exchange>({
  always: () => true,
  "on a route with a configured path": (exchange) => !isDefaultPath(exchange),
  "on a route with its default path": isDefaultPath,
  "on a route with a controllerId of its own": ({ context: { route } }) =>
    route.controllerId !== `webhooks/${route.id}`,
  "on a route without its secret": ({ context: { route } }) => typeof route.secret !== "string",
  "from 127.0.0.1": ({ request }) => request.socket.remoteAddress?.endsWith("127.0.0.1") === true,
  "for bodies of an announced length": (exchange) => Number(header(exchange, "content-length")) > 0,
  "for chunked bodies": (exchange) => header(exchange, "transfer-encoding") !== "",
  "with Expect": (exchange) => header(exchange, "expect") !== "",
  "for HTTP/1.0": ({ request }) => request.httpVersion === "1.0",
  "with a query": ({ request }) => request.url?.includes("?") === true,
  "with the product header": ({ request }) => request.headers.authorization === undefined,
  "with a parameter of the type": (exchange) => header(exchange, "content-type").includes(";"),
  "later on its connection": isLater,
  "with header names in capitals": ({ request }) => request.rawHeaders.includes("HOST"),
  "for GET": ({ request }) => request.method === "GET",
  "for DELETE": ({ request }) => request.method === "DELETE",
  "for HEAD": ({ request }) => request.method === "HEAD",
  "for PUT": ({ request }) => request.method === "PUT",
  "without a content type": (exchange) => header(exchange, "content-type") === "",
  "with an empty body": (exchange) => header(exchange, "content-length") === "0",
  "with Basic credentials": (exchange) => /^basic /i.test(header(exchange, "authorization")),
});

interface Answered {
  readonly action: string;
  readonly code: string | undefined;
  /** The revision that was sent, and the one that was shown. */
  readonly sent: unknown;
  readonly shown: unknown;
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
const sentIs =
  (fits: (sent: number, current: number) => boolean) =>
  ({ flow, fields: { expectedRevision: sent } }: About): boolean =>
    typeof sent === "number" && fits(sent, flow?.revision ?? 0);

const statuses = ["queued", "waiting", "blocked", "succeeded", "failed", "cancelled"];

export const flowConditions: readonly Condition<About>[] = [
  ...statuses.map((status) => ({
    what: `of a flow that is ${status}`,
    holds: ({ flow }: About) => flow?.status === status,
  })),
  ...conditions<About>({
    always: () => true,
    "of a flow that has ended": ({ flow }) => flow !== undefined && hasEnded(flow),
    "of a flow asked to cancel": ({ flow }) => flow?.cancelRequestedAt !== undefined,
    "of a flow that holds wait data and no state": ({ flow }) =>
      flow?.waitJson !== undefined && flow.stateJson === undefined,
    "of a flow that is blocked, with a key for the child": ({ flow, fields }) =>
      flow?.status === "blocked" && fields["childSessionKey"] !== undefined,
    "of a flow that a sibling created": ({ flow, route }) => flow?.controllerId !== route.controllerId,
    "with the revision that its route made last": ({ fields, past, route }) =>
      past.findLast((one) => one.routeId === route.id && one.code === undefined && !isReading(one))?.shown ===
      fields["expectedRevision"],
    "of a flow with a child": (about) => has(about, () => true),
    "of a flow with an acp child": (about) => has(about, ({ runtime }) => runtime === "acp"),
    "of a flow with a queued child": (about) => has(about, ({ status }) => status !== "running"),
    "of a flow with a running child": (about) => has(about, ({ status }) => status === "running"),
    "of a flow whose child has a session key": (about) =>
      has(about, ({ childSessionKey }) => typeof childSessionKey === "string"),
    "of a flow with two children": ({ tasks }) => tasks.length > 1,
    "of a flow that was resumed": (about) => applied(about, "resume_flow") > 0,
    "of a flow that was resumed twice": (about) => applied(about, "resume_flow") > 1,
    "of a flow whose cancellation was requested twice": (about) => applied(about, "request_cancel") > 1,
    "of a flow whose cancellation was requested, at even revisions": ({ flow }) =>
      flow?.cancelRequestedAt !== undefined && flow.revision % 2 === 0,
    "of a flow that had a conflict": (about) => refusedWith(about, "revision_conflict"),
    "of a flow that had a conflict of finish_flow": ({ past }) =>
      past.some(({ action, code }) => action === "finish_flow" && code === "revision_conflict"),
    "of a flow last told to wait, but for fail_flow": ({ past }) =>
      past.findLast((one) => !isReading(one) && one.action !== "fail_flow")?.action === "set_waiting",
    "of a flow of which a change was rejected": (about) => refusedWith(about, "mutation_rejected"),
    "of a flow that had two conflicts with this revision": ({ past, fields: { expectedRevision } }) =>
      past.filter(({ code, sent }) => code === "revision_conflict" && sent === expectedRevision).length > 1,
    "of a flow whose latest change could not be stored": ({ past }) =>
      past.findLast((one) => !isReading(one) && [undefined, "persist_failed"].includes(one.code))?.code ===
      "persist_failed",
    "of a flow of which two changes could not be stored": (about) =>
      unstored(about).filter(({ action }) => action !== "run_task").length === 2,
    "of a flow of which a task could not be stored": (about) =>
      unstored(about).some(({ action }) => action === "run_task"),
    "at the first revision": ({ flow }) => flow?.revision === 0,
    "beyond the third revision": ({ flow }) => (flow?.revision ?? 0) > 3,
    "of the session's first flow": ({ flow, flows }) => flows[0] !== undefined && flow === flows[0],
    "of a flow with 50 newer ones in the session": ({ flow, flows }) =>
      flow !== undefined && flows.length - flows.indexOf(flow) > 50,
    "with more than 20 flows in the session": ({ flows }) => flows.length > 20,
    "when every flow of the session has ended": ({ flows }) => flows.every(hasEnded),
    "with a revision that is five behind or more": sentIs((sent, current) => current - sent >= 5),
    "with a revision that is six behind": sentIs((sent, current) => current - sent === 6),
    "with a revision that is older and greater as a text": sentIs(
      (sent, current) => sent < current && `${sent}` > `${current}`,
    ),
    "with a revision that is ahead": sentIs((sent, current) => sent > current),
    "with a revision that has the right last digit": sentIs(
      (sent, current) => sent !== current && sent % 10 === current % 10,
    ),
    "with a revision that begins with the right digits": sentIs(
      (sent, current) => sent < 2 ** 31 && sent !== current && `${sent}`.startsWith(`${current}`),
    ),
  }),
];
