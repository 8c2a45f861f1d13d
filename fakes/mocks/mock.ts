/** The mock that a test works with, whichever client it is for: its levers, and the requests it received. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createDrivenClock, systemClock } from "../clock.ts";
import { flowStatuses, persistedOperations, taskStatuses } from "../managed-flows.ts";
import type { FlowStatus, PersistedOperation, TaskStatus } from "../managed-flows.ts";
import { openMockGateway } from "./gateway.ts";
import { actionNames, outcomeNames, type Outcome } from "./outcomes.ts";
import type { ReceivedRequest } from "./received.ts";

/** A route entry of the plugin's configuration. */
export interface MockRoute {
  readonly sessionKey: string;
  /** A SecretRef makes the route cold, as when it could not be resolved: every request to it gets 401. */
  readonly secret: string | { readonly source: string; readonly provider: string; readonly id: string };
  readonly path?: string;
  readonly enabled?: boolean;
  readonly controllerId?: string;
  readonly description?: string;
}

export interface MockOptions {
  /** Route entries by route id, as under `plugins.entries.webhooks.config.routes`. */
  readonly routes: Readonly<Record<string, MockRoute>>;
  /** Default `http://gateway.test`. Its path, if any, is a prefix of the routes' paths. */
  readonly baseUrl?: string;
  /** Replaces `service` in `x-service-webhook-secret`. Default `service`. */
  readonly product?: string;
  /** `driven`: time stands still until `advance`. Default `real`, which a test runner's fake timers drive too (MOCKS: Jest). */
  readonly clock?: "real" | "driven";
}

/** Selects requests; an absent field matches any. */
export interface Filter {
  readonly route?: string;
  readonly action?: string;
}

export interface SeedInput {
  readonly route: string;
  /** Default `queued`. */
  readonly status?: FlowStatus;
  readonly goal?: string;
  /** Default true; false gives a flow that answers changes with `not_managed`. */
  readonly managed?: boolean;
}

export interface WebhooksMock {
  readonly baseUrl: string;
  /** The last 1,000 requests since the last reset, oldest first. Secrets are hidden, except in bodies, which are as sent. */
  readonly received: readonly ReceivedRequest[];
  /**
   * Gives this outcome, once, to the next request that matches and passes the checks before its action. Several outcomes
   * queue up. Throws for an outcome, a filter, a route or an action that does not exist.
   */
  forceOnce(outcome: Outcome, filter?: Filter): void;
  /** Stores a flow in the route's session. Throws for a field, route or status that does not exist. */
  seed(input: SeedInput): { readonly flowId: string; readonly revision: number };
  /** Changes the status of a child task; the last one to end completes a pending cancellation. Throws for a task or status that does not exist. */
  settle(input: { readonly flowId: string; readonly taskId: string; readonly status: TaskStatus }): void;
  /** From now on these kinds of writes fail with `persist_failed` and change nothing; `[]` ends that. Throws for a kind that does not exist. */
  failPersistence(operations: readonly PersistedOperation[]): void;
  /**
   * Advances a driven clock by `ms` milliseconds; resolves to the new time, in milliseconds since the epoch, once the due
   * timers have run. Rejects when the clock is real.
   */
  advance(ms: number): Promise<number>;
  /** Starts again: no flows, no requests, nothing forced, full budgets. The clock keeps its time. */
  reset(): void;
}

/** Throws an error that says what is wrong with the options. */
export function openMock(options: MockOptions) {
  const { routes, product, clock, baseUrl } = checkedOptions({ ...options });
  const driven = clock === "driven" ? createDrivenClock() : undefined;
  let forced: { outcome: Outcome; filter: Filter }[] = [];
  const nextOutcome = (request: { route: string; action: unknown }) => {
    const index = forced.findIndex(
      ({ filter: { route = request.route, action = request.action } }) =>
        route === request.route && action === request.action,
    );
    return index === -1 ? undefined : forced.splice(index, 1)[0]?.outcome;
  };
  const open = () => openMockGateway({ routes, product, clock: driven?.clock ?? systemClock, nextOutcome });
  let gateway = open();
  const sessionOf = (route: string): string => {
    const session = gateway.sessions.get(route);
    if (session !== undefined) return session;
    throw new TypeError(`there is no route "${route}", expected one of: ${[...gateway.sessions.keys()].join(", ")}`);
  };

  const mock: WebhooksMock = {
    baseUrl,
    get received() {
      return gateway.received;
    },
    forceOnce: (outcome, filter = {}) => {
      checkOutcome(outcome);
      for (const key of Object.keys(filter)) checkKnown("filter", key, ["route", "action"]);
      if (filter.route !== undefined) sessionOf(filter.route);
      if (filter.action !== undefined) checkKnown("action", filter.action, actionNames);
      forced.push({ outcome, filter });
    },
    seed: ({ route, ...wanted }) => {
      for (const key of Object.keys(wanted)) checkKnown("field of a flow", key, ["route", "status", "goal", "managed"]);
      if (wanted.status !== undefined) checkKnown("status", wanted.status, flowStatuses);
      const { flowId, revision } = gateway.flows.seed({ sessionKey: sessionOf(route), ...wanted });
      return { flowId, revision };
    },
    settle: (wanted) => {
      checkKnown("status", wanted.status, taskStatuses);
      if (gateway.flows.settle(wanted) === null)
        throw new TypeError(`there is no task ${wanted.taskId} in flow ${wanted.flowId}`);
    },
    failPersistence: (operations) => {
      for (const operation of operations) checkKnown("kind of write", operation, persistedOperations);
      gateway.flows.failPersistence(operations);
    },
    advance: async (ms) => {
      if (driven === undefined) throw new TypeError('time is real here: give the mock clock: "driven" to advance it');
      return driven.advance(ms);
    },
    reset: () => {
      forced = [];
      gateway = open();
    },
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => gateway.handle(request, response);
  return { mock, handle };
}

function checkedOptions(options: MockOptions) {
  for (const name of Object.keys(options)) checkKnown("option", name, ["routes", "baseUrl", "product", "clock"]);
  const { routes, product = "service", clock = "real", baseUrl = "http://gateway.test" } = options;
  // A gateway may have no routes; a mock without any would answer each request with 404.
  if (Object.keys({ ...routes }).length === 0)
    throw new TypeError("there are no routes, expected { routes: { demo: { sessionKey, secret } } }");
  if (clock !== "real" && clock !== "driven")
    throw new TypeError(`clock is "${String(clock)}", expected real or driven`);
  return { routes, product, clock, baseUrl: checkedBaseUrl(baseUrl) };
}

function checkKnown(what: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  const near = [4, 3, 2].flatMap((length) => known.filter((name) => startOf(name, length) === startOf(given, length)));
  const meant = near[0] === undefined ? "" : `; did you mean "${near[0]}"?`;
  throw new TypeError(`there is no ${what} "${given}", expected one of: ${known.join(", ")}${meant}`);
}

const startOf = (name: string, length: number) => name.slice(0, length).toLowerCase();

function checkOutcome(outcome: Outcome): void {
  if (typeof outcome !== "object") return checkKnown("outcome", outcome, outcomeNames);
  const { status, headers = {} } = outcome;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`the outcome's status is ${String(status)}, expected a whole number from 200 to 599`);
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
}

/** Checked here, since each client would refuse the header differently, and only when it is sent. */
function checkHeader(name: string, value: string): void {
  try {
    new Headers().set(name, value);
  } catch (error) {
    const expected = "expected a name and a value as HTTP has them";
    throw new TypeError(`the outcome's header ${JSON.stringify(name)} cannot be sent: ${expected}`, { cause: error });
  }
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new TypeError(`baseUrl is "${text}", expected an http or https URL without query and fragment`);
  return url.href.replace(/\/+$/, "");
}
