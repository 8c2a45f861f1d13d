/** Ways to change one thing of the plugin or of its surroundings: the vocabulary in which subjects are written. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { isActive } from "../../fakes/flow-store.ts";
import type { Answer } from "../../plugin/answer.ts";
import type { Code } from "../../plugin/codes.ts";
import type { Route } from "../../plugin/config.ts";
import type { Action, Exchange, Parts, RouteContext, Stage } from "../../plugin/contract.ts";
import type { JsonObject } from "../../plugin/json.ts";
import type { Limits } from "../../plugin/limits.ts";
import type { BoundFlows, CancelResult, FlowRecord, HttpRoute } from "../../plugin/ports.ts";
import type { Views } from "../../plugin/views.ts";
import type { Change, Origin } from "./subject.ts";

type Handler = HttpRoute["handler"];

/** The plugin's stages, by name. */
export type StageName = "method" | "content-type" | "rate-limit" | "in-flight" | "authentication" | "body" | "action";

export const withParts = (over: Partial<Parts>): Change => ({ parts: (parts) => ({ ...parts, ...over }) });

export const withLimits = (over: Partial<Limits>): Change => ({
  parts: (parts) => ({ ...parts, limits: { ...parts.limits, ...over } }),
});

export const withStatuses = (over: Partial<Record<Code, number>>): Change => ({
  parts: (parts) => ({ ...parts, statuses: { ...parts.statuses, ...over } }),
});

/** Replaces one stage by a changed one. */
export const withStage = (name: StageName, change: (stage: Stage) => Stage["run"]): Change => ({
  parts: (parts) => ({
    ...parts,
    stages: parts.stages.map((stage) => (stage.name === name ? { name, run: change(stage) } : stage)),
  }),
});

/** Moves a stage in front of another. */
export const withStageBefore = (name: StageName, before: StageName): Change => ({
  parts: (parts) => {
    const others = parts.stages.filter((stage) => stage.name !== name);
    const moved = parts.stages.filter((stage) => stage.name === name);
    return { ...parts, stages: others.flatMap((stage) => (stage.name === before ? [...moved, stage] : [stage])) };
  },
});

/** Replaces parts of one action, or of every one. */
export const withAction = (name: string | readonly string[], change: (action: Action) => Partial<Action>): Change => ({
  parts: (parts) => ({
    ...parts,
    actions: parts.actions.map((action) =>
      [name].flat().includes(action.name) ? { ...action, ...change(action) } : action,
    ),
  }),
});

/** Changes what some actions answer. */
export const withOutcome = (
  name: string | readonly string[],
  change: (answer: Answer, fields: Record<string, unknown>) => Answer,
): Change =>
  withAction(name, ({ run }) => ({ run: async (fields, context) => change(await run(fields, context), fields) }));

export const withViews = (change: (views: Views) => Partial<Views>): Change => ({
  parts: (parts) => ({ ...parts, views: { ...parts.views, ...change(parts.views) } }),
});

/** Changes the view of a flow. */
export const withFlowView = (change: (view: object, flow: FlowRecord) => object): Change =>
  withViews((views) => ({ flow: (flow) => change(views.flow(flow), flow) }));

/** Shows a flow as another. */
export const withFlowShown = (change: (flow: FlowRecord) => FlowRecord): Change =>
  withViews((views) => ({ flow: (flow) => views.flow(change(flow)) }));

/** Changes every answer before it is written. */
export const withAnswer = (change: (answer: Answer, request: IncomingMessage, route: string) => Answer): Change => ({
  parts: (parts) => ({
    ...parts,
    writeAnswer: (request, response, route, answer, wording) =>
      parts.writeAnswer(request, response, route, change(answer, request, route), wording),
  }),
});

/** What is sent over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text: string;
}

/** Changes every reply as it is written. */
export const withReply = (change: (reply: Reply, request: IncomingMessage) => Reply): Change => ({
  parts: (parts) => ({
    ...parts,
    writeAnswer: (request, response, route, answer, wording) => {
      const caught: { status: number; headers: Reply["headers"] } = { status: 0, headers: {} };
      const write = (text: string, ends: boolean) => {
        const { "Content-Length": _length, ...headers } = caught.headers;
        const reply = change({ status: caught.status, headers, text }, request);
        response.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(reply.text) });
        if (ends) response.end(reply.text);
        else response.write(reply.text);
      };
      const stand = {
        writeHead: (status: number, headers: Reply["headers"]) => Object.assign(caught, { status, headers }),
        write: (text: string) => write(text, false),
        end: (text: string) => write(text, true),
        flushHeaders: () => write("", false),
      };
      parts.writeAnswer(request, stand as unknown as ServerResponse, route, answer, wording);
    },
  }),
});

/** Changes the envelope of every answer, or of some. */
export const withEnvelope = (
  change: (envelope: Record<string, unknown>, status: number, request: IncomingMessage) => unknown,
): Change =>
  withReply((reply, request) => {
    // The answer to HEAD has no body.
    if (reply.text === "") return reply;
    const envelope = JSON.parse(reply.text) as Record<string, unknown>;
    return { ...reply, text: JSON.stringify(change(envelope, reply.status, request)) };
  });

/** Reads the configured routes in another way; `entries`: as they are written in `config`. */
export const withReading = (
  change: (read: Parts["readRoutes"], entries: Record<string, Record<string, unknown>>, config: unknown) => Route[],
): Change => ({
  parts: (parts) => ({
    ...parts,
    readRoutes: (config) => {
      const { routes = {} } = (config ?? {}) as { routes?: Record<string, Record<string, unknown>> };
      return change(parts.readRoutes, routes, config);
    },
  }),
});

/** Changes the configured routes as the plugin reads them. */
export const withRoutes = (change: (route: Route) => Route | readonly Route[] | undefined): Change =>
  withReading((read, _entries, config) => read(config).flatMap((route) => change(route) ?? []));

/** Changes the configuration that the plugin gets, route entry by route entry; undefined drops the entry. */
export const withEntries = (
  change: (entry: Record<string, unknown>, id: string) => Record<string, unknown> | undefined,
): Change => ({
  api: (api) => {
    const { routes = {}, ...rest } = api.pluginConfig as { routes?: Record<string, Record<string, unknown>> };
    const changed = Object.entries(routes).flatMap(([id, entry]) => {
      const given = change(entry, id);
      return given === undefined ? [] : [[id, given] as const];
    });
    return { ...api, pluginConfig: { ...rest, routes: Object.fromEntries(changed) } };
  },
});

/** Changes what a bound session does. `others` binds any other session. */
export const withFlows = (
  change: (flows: BoundFlows, others: (sessionKey: string) => BoundFlows) => Partial<BoundFlows>,
): Change => ({
  api: (api) => {
    const bind = (sessionKey: string) => api.runtime.tasks.managedFlows.bindSession({ sessionKey });
    const bindSession = ({ sessionKey }: { sessionKey: string }) => {
      const flows = bind(sessionKey);
      return { ...flows, ...change(flows, bind) };
    };
    return { ...api, runtime: { tasks: { managedFlows: { bindSession } } } };
  },
});

/** Wraps the handler of each route; undefined registers none. */
export const withHandler = (change: (handler: Handler, route: HttpRoute) => Handler | undefined): Change => ({
  api: (api) => ({
    ...api,
    registerHttpRoute: (route) => {
      const handler = change(route.handler, route);
      if (handler !== undefined) api.registerHttpRoute({ ...route, handler });
    },
  }),
});

/** Of a cancellation: it waits for active children. */
export const isPending = ({ cancelled, flow, tasks = [] }: CancelResult): boolean =>
  !cancelled && flow?.cancelRequestedAt !== undefined && flow.endedAt === undefined && tasks.some(isActive);

/** Two changes that together make the one difference. */
export const both = (first: Change, second: Change): Change => ({
  parts: (parts, origin) => {
    const changed = first.parts?.(parts, origin) ?? parts;
    return second.parts?.(changed, origin) ?? changed;
  },
  api: (api, origin) => {
    const changed = first.api?.(api, origin) ?? api;
    return second.api?.(changed, origin) ?? changed;
  },
  ...((first.runtime ?? second.runtime) && { runtime: { ...first.runtime, ...second.runtime } }),
});

/** A change with a memory: each started subject gets its own. */
export function perStart(make: (origin: Origin) => Change): Change {
  const made = new WeakMap<Origin, Change>();
  const of = (origin: Origin): Change => {
    const change = made.get(origin) ?? make(origin);
    made.set(origin, change);
    return change;
  };
  return {
    parts: (parts, origin) => of(origin).parts?.(parts, origin) ?? parts,
    api: (api, origin) => of(origin).api?.(api, origin) ?? api,
  };
}

/** Lets more requests through a stage. */
export const alsoLetsIn = (name: StageName, lets: (request: IncomingMessage) => boolean): Change =>
  withStage(name, ({ run }) => (exchange) => {
    return lets(exchange.request) ? undefined : run(exchange);
  });

/** The flow's current revision; 0 for an absent flow. */
export async function currentRevision(flowId: unknown, { flows }: RouteContext): Promise<number> {
  return (await flows.get(String(flowId)))?.revision ?? 0;
}

/** Changes the body of a request before its action is looked up. */
export const withRequest = (
  change: (body: JsonObject, context: RouteContext) => JsonObject | Promise<JsonObject>,
): Change =>
  withStage("action", ({ run }) => async (exchange) => {
    return run({ ...exchange, body: await change(exchange.body ?? {}, exchange.context) });
  });

/** Lets more requests through the authentication. `presented`: the secret that the correct plugin would compare. */
export const alsoAuthenticates = (
  lets: (request: IncomingMessage, secret: string, presented: string | undefined, route: Route) => boolean,
): Change =>
  withStage("authentication", ({ run }) => (exchange) => {
    const { context, request } = exchange;
    const { secret } = context.route;
    const presented = context.parts.presentedSecret(request.headers, context.product);
    return lets(request, typeof secret === "string" ? secret : "", presented, context.route)
      ? undefined
      : run(exchange);
  });

/** Changes refusals, or what happens at them: those of one stage, or of every one. */
export const withRefusals = (
  change: (refusal: Answer, exchange: Exchange, stage: string) => ReturnType<Stage["run"]>,
  only?: StageName,
): Change => ({
  parts: (parts) => ({
    ...parts,
    stages: parts.stages.map(({ name, run }) => ({
      name,
      run: async (exchange) => {
        const outcome = await run(exchange);
        const isMeant = typeof outcome === "object" && !outcome.ok && (only ?? name) === name;
        return isMeant ? change(outcome, exchange, name) : outcome;
      },
    })),
  }),
});

/** A value turned into a string without any check, as careless code does. */
export const asText = (value: unknown): string => "".concat(value as string);

/** The product's own header, and the secret in it. */
export const productHeader = "x-service-webhook-secret";
export const ownOf = (headers: IncomingHttpHeaders): string | undefined => headers[productHeader] as string | undefined;

/** Another way to find the secret in the headers. `right`: the correct one. */
export const presents = (
  find: (
    headers: IncomingHttpHeaders,
    right: (headers: IncomingHttpHeaders) => string | undefined,
  ) => string | undefined,
): Change => ({
  parts: (parts) => ({
    ...parts,
    presentedSecret: (headers, product) => find(headers, (read) => parts.presentedSecret(read, product)),
  }),
});

/** Parses bodies that the correct parser refuses. */
export const alsoParses = (parse: (text: string) => unknown): Change => ({
  parts: (parts) => ({
    ...parts,
    parseBody: (bytes, depth) => {
      const right = parts.parseBody(bytes, depth);
      if (right !== undefined) return right;
      try {
        const value = parse(new TextDecoder().decode(bytes));
        return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
      } catch {
        return undefined;
      }
    },
  }),
});
