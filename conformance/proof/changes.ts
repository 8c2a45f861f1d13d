/** Ways to change one thing of the plugin or of its surroundings: the vocabulary in which subjects are written. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { isActive } from "../../fakes/flow-store.ts";
import { accept, type Answer } from "../../plugin/answer.ts";
import type { Code } from "../../plugin/codes.ts";
import type { Route } from "../../plugin/config.ts";
import type { Action, Exchange, Parts, RouteContext, Stage, StageOutcome } from "../../plugin/contract.ts";
import type { JsonObject } from "../../plugin/json.ts";
import type { Limits } from "../../plugin/limits.ts";
import type { BoundFlows, CancelResult, FlowRecord, HttpRoute } from "../../plugin/ports.ts";
import type { Views } from "../../plugin/views.ts";
import { perObject } from "../foundation/per-object.ts";
import { flowActions } from "../interface/flow-model.ts";
import type { Change, Origin, RuntimeChange } from "./subject.ts";

type Handler = HttpRoute["handler"];

export type StageName = "method" | "content-type" | "rate-limit" | "in-flight" | "authentication" | "body" | "action";

/** Replaces one part; `right`: the correct one. */
export const withPart = <Name extends keyof Parts>(
  name: Name,
  change: (right: Parts[Name]) => Parts[Name],
): Change => ({
  parts: (parts) => ({ ...parts, [name]: change(parts[name]) }),
});

export const withLimits = (over: Partial<Limits>): Change => withPart("limits", (limits) => ({ ...limits, ...over }));

export const withStatuses = (over: Partial<Record<Code, number>>): Change =>
  withPart("statuses", (statuses) => ({ ...statuses, ...over }));

/** Another way to run a stage; `right` runs the correct one, on this exchange or on another. */
export const withStage = (
  name: StageName,
  run: (exchange: Exchange, right: (other?: Exchange) => ReturnType<Stage["run"]>) => ReturnType<Stage["run"]>,
): Change =>
  withPart("stages", (stages) =>
    stages.map((stage) =>
      stage.name === name ? { name, run: (exchange) => run(exchange, (other = exchange) => stage.run(other)) } : stage,
    ),
  );

type Names = string | readonly string[];

/** Changes actions as they stand in the plugin's table. */
const withRow = (names: Names, change: (action: Action) => Partial<Action>): Change =>
  withPart("actions", (actions) =>
    actions.map((action) => ([names].flat().includes(action.name) ? { ...action, ...change(action) } : action)),
  );

export const withSchema = (name: string, change: (schema: Action["schema"]) => Action["schema"]): Change =>
  withRow(name, ({ schema }) => ({ schema: change(schema) }));

export interface ActionRun {
  readonly name: string;
  readonly fields: Record<string, unknown>;
  readonly context: RouteContext;
  /** The correct action, with other fields or surroundings where they are given. */
  right(fields?: Record<string, unknown>, context?: RouteContext): Promise<Answer>;
}

/** Another way to carry some actions out. */
export const withAction = (names: Names, act: (run: ActionRun) => Answer | Promise<Answer>): Change =>
  withRow(names, ({ name, run }) => ({
    run: async (fields, context) => {
      const right: ActionRun["right"] = (other = fields, around = context) => run(other, around);
      return act({ name, fields, context, right });
    },
  }));

/** Changes what some actions answer. */
export const withOutcome = (
  names: Names,
  change: (answer: Answer, fields: Record<string, unknown>) => Answer,
): Change => withAction(names, async ({ fields, right }) => change(await right(), fields));

/** What was refused with this code is answered as accepted; nothing is done. */
export const pretends = (actions: Names, code: Code): Change =>
  withOutcome(actions, (answer) => (answer.code === code ? accept(answer.result) : answer));

/** Some actions refuse with another code. */
export const recoded = (actions: Names, from: Code, to: Code): Change =>
  withOutcome(actions, (answer) => (answer.code === from ? { ...answer, code: to } : answer));

export const withViews = (change: (views: Views) => Partial<Views>): Change =>
  withPart("views", (views) => ({ ...views, ...change(views) }));

export const withFlowView = (change: (view: object, flow: FlowRecord) => object): Change =>
  withViews((views) => ({ flow: (flow) => change(views.flow(flow), flow) }));

/** Shows a flow as another. */
export const withFlowShown = (change: (flow: FlowRecord) => FlowRecord): Change =>
  withViews((views) => ({ flow: (flow) => views.flow(change(flow)) }));

/** Changes every answer before it is written. */
export const withAnswer = (change: (answer: Answer, request: IncomingMessage, route: string) => Answer): Change =>
  withPart("writeAnswer", (write) => (request, response, route, answer, wording) => {
    write(request, response, route, change(answer, request, route), wording);
  });

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text: string;
}

/** Changes every reply as it is written. */
export const withReply = (change: (reply: Reply, request: IncomingMessage) => Reply): Change =>
  withPart("writeAnswer", (writeAnswer) => (request, response, route, answer, wording) => {
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
    writeAnswer(request, stand as unknown as ServerResponse, route, answer, wording);
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

/** Another routeId in every envelope. */
export const withRouteId = (change: (routeId: string, request: IncomingMessage) => unknown): Change =>
  withEnvelope((envelope, _status, request) => ({
    ...envelope,
    routeId: change(String(envelope["routeId"]), request),
  }));

export type RouteEntry = Record<string, unknown>;
export type Entries = Record<string, RouteEntry>;

/** Reads the configured routes in another way; `entries`: as they are written in `config`. */
export const withReading = (
  change: (read: Parts["readRoutes"], entries: Entries, config: unknown) => Route[],
): Change =>
  withPart("readRoutes", (read) => (config) => {
    const { routes = {} } = (config ?? {}) as { routes?: Entries };
    return change(read, routes, config);
  });

/** Changes the routes one by one, as the plugin reads them; undefined leaves one out. */
export const withRoutes = (
  change: (route: Route, routes: readonly Route[]) => Route | readonly Route[] | undefined,
): Change =>
  withReading((read, _entries, config) => read(config).flatMap((route, _at, all) => change(route, all) ?? []));

/** The routes in a configuration document, as they are written. */
export const routesIn = (document: unknown): Entries => {
  const { plugins } = document as { plugins: { entries: { webhooks: { config: { routes?: Entries } } } } };
  return plugins.entries.webhooks.config.routes ?? {};
};

/** Changes the configuration that the plugin gets, route entry by route entry; undefined drops the entry. */
export const withEntries = (
  change: (entry: RouteEntry, id: string, origin: Origin) => RouteEntry | undefined,
): Change => ({
  api: (api, origin) => {
    const { routes = {}, ...rest } = api.pluginConfig as { routes?: Entries };
    const changed = Object.entries(routes).flatMap(([id, entry]) => {
      const given = change(entry, id, origin);
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

/** Another way in which a bound session answers one of its calls. */
export const withCall = <Name extends Exclude<keyof BoundFlows, "sessionKey">>(
  name: Name,
  answer: (input: Parameters<BoundFlows[Name]>[0], flows: BoundFlows) => ReturnType<BoundFlows[Name]>,
): Change => withFlows((flows) => ({ [name]: (input: Parameters<BoundFlows[Name]>[0]) => answer(input, flows) }));

export const withCreation = (change: (input: CreateInput) => CreateInput): Change =>
  withCall("tryCreateManaged", (input, flows) => flows.tryCreateManaged(change(input)));
type CreateInput = Parameters<BoundFlows["tryCreateManaged"]>[0];

export const withRegistered = (change: (route: HttpRoute) => readonly HttpRoute[]): Change => ({
  api: (api) => ({
    ...api,
    registerHttpRoute: (route) => {
      for (const one of change(route)) api.registerHttpRoute(one);
    },
  }),
});

export const withHandler = (change: (handler: Handler, route: HttpRoute) => Handler): Change =>
  withRegistered((route) => [{ ...route, handler: change(route.handler, route) }]);

/** These answers are the last ones of their connections. */
export const endsConnection = (isMeant: (status: number, request: IncomingMessage) => boolean): Change =>
  withHandler((handler) => (request, response) => {
    const writeHead = response.writeHead.bind(response) as (status: number, headers: object) => typeof response;
    const ending = (status: number, headers: object): typeof response => {
      if (isMeant(status, request)) response.setHeader("connection", "close");
      return writeHead(status, headers);
    };
    Object.assign(response, { writeHead: ending });
    return handler(request, response);
  });

/** Of a cancellation: it waits for active children. */
export const isPending = ({ cancelled, flow, tasks = [] }: CancelResult): boolean =>
  !cancelled && flow?.cancelRequestedAt !== undefined && flow.endedAt === undefined && tasks.some(isActive);

/** Changes that together make the one difference. */
export const together = (...changes: readonly Change[]): Change => {
  const runtimes = changes.flatMap(({ runtime }) => runtime ?? []);
  const controls = changes.flatMap(({ control }) => control ?? []);
  return {
    document: (document) => changes.reduce((changed, { document: next }) => next?.(changed) ?? changed, document),
    parts: (parts, origin) => changes.reduce((changed, { parts: next }) => next?.(changed, origin) ?? changed, parts),
    api: (api, origin) => changes.reduce((changed, { api: next }) => next?.(changed, origin) ?? changed, api),
    ...(runtimes.length > 0 && { runtime: Object.assign({}, ...runtimes) as RuntimeChange }),
    ...(changes.some(({ reloads }) => reloads === true) && { reloads: true }),
    ...(controls.length > 0 && { control: (...call) => controls.some((answers) => answers(...call)) }),
  };
};

/** A change with a memory: each started subject gets its own. */
export function perStart(make: (origin: Origin) => Change): Change {
  const of = perObject(make);
  return {
    parts: (parts, origin) => of(origin).parts?.(parts, origin) ?? parts,
    api: (api, origin) => of(origin).api?.(api, origin) ?? api,
  };
}

/** Another way to carry some actions out, by what is noted of earlier requests: each started subject has its own notes. */
export const withNotes = <Note = unknown>(
  names: Names,
  act: (run: ActionRun, notes: Map<unknown, Note>) => Answer | Promise<Answer>,
): Change =>
  perStart(() => {
    const notes = new Map<unknown, Note>();
    return withAction(names, (run) => act(run, notes));
  });

/** A field that an action is not sent is what it was when it was sent last, for whatever flow. */
export const repeatsField = (action: string, field: string, isMeant = (_fields: ActionRun["fields"]) => true): Change =>
  withNotes(action, ({ fields, right }, last) => {
    if (!isMeant(fields)) return right();
    if (field in fields) last.set(field, fields[field]);
    return right({ ...Object.fromEntries(last), ...fields });
  });

/** Answers of a read are kept by this key, by default the flow, and given again until one of these actions comes with the same key. */
export const keepsAnswers = (
  read: string,
  until: readonly string[] = flowActions,
  keyOf = ({ fields }: ActionRun): string => asText(fields["flowId"]),
): Change =>
  withNotes<Answer>([read, ...until], async (run, kept) => {
    const key = keyOf(run);
    if (run.name !== read) kept.delete(key);
    const answer = kept.get(key) ?? (await run.right());
    if (run.name === read) kept.set(key, answer);
    return answer;
  });

/** Carried out when what has arrived meanwhile has come as far. */
async function afterTurns({ right }: ActionRun): Promise<Answer> {
  await turn();
  await turn();
  return right();
}

/** Runs of an action that overlap and have one key have one answer, which the first of them makes. */
export const sharesAnswers = (
  name: string,
  keyOf: (run: ActionRun) => string,
  made: (run: ActionRun) => Promise<Answer> = afterTurns,
): Change =>
  withNotes<Promise<Answer>>(name, (run, underWay) => {
    const key = keyOf(run);
    const answer = underWay.get(key) ?? made(run).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  });

/** What a stage of the plugin says of a request. */
export const runStage = async (name: StageName, exchange: Exchange): Promise<StageOutcome> =>
  exchange.context.parts.stages.find((stage) => stage.name === name)?.run(exchange);

/** Lets more requests through a stage. */
export const alsoLetsIn = (name: StageName, lets: (request: IncomingMessage) => boolean): Change =>
  withStage(name, (exchange, right) => (lets(exchange.request) ? undefined : right()));

/** The flow's current revision; 0 for an absent flow. */
export async function currentRevision(flowId: unknown, { flows }: RouteContext): Promise<number> {
  return (await flows.get(String(flowId)))?.revision ?? 0;
}

/** Changes the body of a request before its action is looked up. */
export const withRequest = (
  change: (body: JsonObject, context: RouteContext, request: IncomingMessage) => JsonObject | Promise<JsonObject>,
): Change =>
  withStage("action", async (exchange, right) => {
    const { body = {}, context, request } = exchange;
    return right({ ...exchange, body: await change(body, context, request) });
  });

/** Changes refusals, or what happens at them: those of one stage, or of every one. */
export const withRefusals = (
  change: (refusal: Answer, exchange: Exchange, stage: string) => ReturnType<Stage["run"]>,
  only?: StageName,
): Change =>
  withPart("stages", (stages) =>
    stages.map(({ name, run }) => ({
      name,
      run: async (exchange) => {
        const outcome = await run(exchange);
        const isMeant = typeof outcome === "object" && !outcome.ok && (only ?? name) === name;
        return isMeant ? change(outcome, exchange, name) : outcome;
      },
    })),
  );

/** A value turned into a string without any check, as careless code does. */
export const asText = (value: unknown): string => "".concat(value as string);

/** Another way to parse bodies. `right`: the correct one, of what was sent or of another text. */
export const withParsing = (
  parse: (text: string, right: (other?: string) => JsonObject | undefined) => JsonObject | undefined,
): Change =>
  withPart("parseBody", (right) => (bytes, depth) => {
    const of = (other?: string) => right(other === undefined ? bytes : Buffer.from(other), depth);
    return parse(new TextDecoder().decode(bytes), of);
  });

/** What a function returns, or this where it throws. */
export function tried<Result, Other>(make: () => Result, otherwise: Other): Result | Other {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** Parses bodies that the correct parser refuses. */
export const alsoParses = (parse: (text: string) => unknown): Change =>
  withParsing((text, right) => {
    const value = right() ?? tried(() => parse(text), undefined);
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
  });
