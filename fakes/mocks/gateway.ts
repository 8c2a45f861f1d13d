/** The plugin in a gateway without a socket: the core of every mock, and what the playground puts behind a port. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createLog } from "../log.ts";
import { createManagedFlows, type ManagedFlowsFake } from "../managed-flows.ts";
import { addRoute, answerRequest, type Routes } from "../routing.ts";
import { readRoutes } from "../../plugin/config.ts";
import { createWebhooksPlugin, standardParts, type Parts } from "../../plugin/index.ts";
import type { Clock, ManagedFlows } from "../../plugin/ports.ts";
import { worded } from "../../plugin/respond.ts";
import { forcedAction, type NextOutcome } from "./forced-action.ts";
import { hiding, MOST_RECEIVED, noteOf, type Noted } from "./received.ts";

export interface MockGatewayOptions {
  /** `config.routes` as a gateway passes it to the plugin; a secret that is no string makes its route cold. */
  readonly routes: Readonly<Record<string, unknown>>;
  readonly product: string;
  readonly clock: Clock;
  /** Called for each request that passed the checks of section 4; undefined lets the plugin answer. */
  readonly nextOutcome: NextOutcome;
  /** Milliseconds by which each action is delayed. */
  readonly latencyMs?: number;
  /** Milliseconds after which an active child task succeeds. Default: never. */
  readonly tasksEndMs?: number;
  /** Called after each request, with the envelope if the plugin wrote one. */
  readonly onAnswered?: (request: Noted, envelope: object | undefined) => void;
}

export type MockGateway = ReturnType<typeof openMockGateway>;

/** Throws an error that lists every fault of the routes. */
export function openMockGateway(options: MockGatewayOptions) {
  const { clock, product, nextOutcome, latencyMs = 0, onAnswered } = options;
  const received: Noted[] = [];
  const notes = new WeakMap<IncomingMessage, Noted>();
  const envelopes = new WeakMap<IncomingMessage, object>();
  const { logger } = createLog(clock, () => undefined);
  const flows = createManagedFlows({ clock, kind: "checking" });
  const parts: Parts = {
    ...standardParts,
    stages: standardParts.stages.map((stage) =>
      stage.name === "action" ? forcedAction(stage, { nextOutcome, latencyMs, noteOf: (of) => notes.get(of) }) : stage,
    ),
    writeAnswer: (request, response, routeId, answer, wording) => {
      const { status, envelope } = worded(routeId, answer, wording);
      Object.assign(notes.get(request) ?? {}, { route: routeId, status }, answer.code && { code: answer.code });
      envelopes.set(request, envelope);
      standardParts.writeAnswer(request, response, routeId, answer, wording);
    },
  };
  const config = { routes: options.routes };
  const entries = readRoutes(config);
  const hidden = hiding(entries.flatMap(({ secret }) => (typeof secret === "string" ? [secret] : [])));
  const routes: Routes = new Map();
  createWebhooksPlugin({ clock, product }, parts).register({
    id: "webhooks",
    config: { plugins: { entries: { webhooks: { enabled: true, config } } } },
    pluginConfig: config,
    logger,
    runtime: { tasks: { managedFlows: settlingTasks(flows, clock, options.tasksEndMs) } },
    registerHttpRoute: (route) => addRoute(routes, route),
  });

  return {
    /** Answers a request as the gateway's HTTP server would. Never rejects. */
    handle: async (request: IncomingMessage, response: ServerResponse) => {
      const note = noteOf(request, clock.now(), product, hidden);
      notes.set(request, note);
      if (received.push(note) > MOST_RECEIVED) received.shift();
      await answerRequest(routes, request, response, logger);
      if (response.headersSent) note.status ??= response.statusCode;
      onAnswered?.(note, envelopes.get(request));
    },
    flows,
    /** The session of each enabled route, by route id. */
    sessions: new Map(entries.map(({ id, sessionKey }) => [id, sessionKey])),
    /** The last 1,000 requests, oldest first. */
    received,
  };
}

/** The runtime, but its child tasks succeed `ms` milliseconds after their start; undefined: they stay active. */
function settlingTasks(flows: ManagedFlowsFake, clock: Clock, ms: number | undefined): ManagedFlows {
  if (ms === undefined) return flows.runtime;
  return {
    bindSession: (session) => {
      const bound = flows.runtime.bindSession(session);
      return {
        ...bound,
        runTask: (input) => {
          const result = bound.runTask(input);
          if (result.created) {
            const { taskId, parentFlowId: flowId } = result.task;
            clock.setTimeout(() => flows.settle({ flowId, taskId, status: "succeeded" }), ms);
          }
          return result;
        },
      };
    },
  };
}
