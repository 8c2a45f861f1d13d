/** Faults that everyday use does not notice, as somebody found them who had not read the cases. */
import { reject } from "../../../plugin/answer.ts";
import { createRateLimiter } from "../../../plugin/rate-limiter.ts";
import {
  withAction,
  withFlows,
  withParts,
  withRateLimiter,
  withRequest,
  withStage,
  type StageName,
} from "../changes.ts";
import { subjectsOf, type Change, type Subject } from "../subject.ts";

const runningFields = ["startedAt", "lastEventAt", "progressSummary"];

/** What a body announces is judged at an earlier check than the body itself. */
const sizeFirst = (stage: StageName, names: readonly string[]): Subject => ({
  id: `order-body-size-before-${stage}`,
  bug: `A Content-Length that is too large is refused before ${stage} is checked.`,
  kills: names.map((name) => `ORDER-${name}-BEFORE-BODY-SIZE`),
  change: withStage(stage, ({ run }) => (exchange) => {
    const announced = Number(exchange.request.headers["content-length"] ?? 0);
    return announced > exchange.context.parts.limits.bodyBytes ? reject("payload_too_large") : run(exchange);
  }),
});

export const subtleOfRequests: readonly Subject[] = [
  sizeFirst("method", ["METHOD"]),
  sizeFirst("content-type", ["CONTENT-TYPE"]),
  sizeFirst("rate-limit", ["RATE"]),
  sizeFirst("in-flight", ["IN-FLIGHT"]),
  sizeFirst("authentication", ["AUTH"]),
  ...subjectsOf<Subject>({
    "rate-window-moves": {
      bug: "Every accepted request opens the window anew: a caller that asks every two seconds is shut out for good.",
      kills: ["RATE-ACCEPTED-DO-NOT-PROLONG"],
      change: withRateLimiter((limits, clock) => {
        const windows = new Map<string, { count: number; openedAt: number }>();
        return (key) => {
          const known = windows.get(key);
          const isOpen = known !== undefined && clock.now() - known.openedAt < limits.windowMs;
          const count = isOpen ? known.count : 0;
          if (count >= limits.requestsPerWindow) return (known?.openedAt ?? 0) + limits.windowMs - clock.now();
          windows.set(key, { count: count + 1, openedAt: clock.now() });
          return 0;
        };
      }),
    },
  }),
];

type Entries = Record<string, { path?: string }>;

/** Reads groups of routes apart from each other, so that no clash between two groups is seen. */
const readApart = (groupsOf: (entries: Entries) => Entries[]): Change => ({
  parts: (parts) => ({
    ...parts,
    readRoutes: (config) => {
      const { routes = {} } = (config ?? {}) as { routes?: Entries };
      return groupsOf(routes).flatMap((group) => parts.readRoutes({ routes: group }));
    },
  }),
});

const only = (entries: Entries, wanted: (entry: Entries[string]) => boolean): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([, entry]) => wanted(entry)));

export const subtleOfBehaviour: readonly Subject[] = subjectsOf<Subject>({
  "config-no-uniqueness": {
    bug: "Paths are not checked for uniqueness: the last route of a path silently takes the place of the others.",
    kills: ["CONFIG-PATH-CLASH", "CONFIG-PATH-CLASH-DEFAULT"],
    change: readApart((entries) => Object.entries(entries).map(([id, entry]) => ({ [id]: entry }))),
  },
  "config-uniqueness-of-written-paths": {
    bug: "Only paths that are written down are checked for uniqueness, not the default ones.",
    kills: ["CONFIG-PATH-CLASH-DEFAULT"],
    change: readApart((entries) => [
      only(entries, ({ path }) => path !== undefined),
      only(entries, ({ path }) => path === undefined),
    ]),
  },
  "create-controller-of-route": {
    bug: "The route's controllerId wins over the one that the request sends.",
    kills: ["CONFIG-CONTROLLER-OVERRIDDEN"],
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => {
        const own = input.controllerId === "conformance/overriding" ? "webhooks/route" : input.controllerId;
        return flows.tryCreateManaged({ ...input, controllerId: own });
      },
    })),
  },
  "rate-full-table": {
    bug: "Once 4,096 keys are tracked a new one is not tracked, and so never limited.",
    kills: ["RATE-4096-KEYS"],
    change: withRateLimiter((limits, clock) => {
      const inner = createRateLimiter(limits, clock);
      const tracked = new Set<string>();
      return (key) => {
        if (!tracked.has(key) && tracked.size >= limits.trackedKeys) return 0;
        tracked.add(key);
        return inner.take(key);
      };
    }),
  },
  "leak-foreign-child": {
    bug: "The refusal of another session's childSessionKey names the bound session.",
    kills: ["LEAK-ON-FOREIGN-CHILD"],
    change: withAction("run_task", ({ run }) => ({
      run: async (fields, context) => {
        const answer = await run(fields, context);
        return answer.code === "task_not_created"
          ? { ...answer, error: `not a child of ${context.flows.sessionKey}` }
          : answer;
      },
    })),
  },
  "persist-set-waiting-half": {
    bug: "A set_waiting that cannot be stored has changed the flow in memory all the same.",
    kills: ["GAP-NOT-STORED-SET-WAITING"],
    change: withFlows((flows) => {
      const halfDone = new Set<string>();
      return {
        async setWaiting(input) {
          const result = await flows.setWaiting(input);
          if (!result.applied && result.code === "persist_failed") halfDone.add(input.flowId);
          else halfDone.delete(input.flowId);
          return result;
        },
        async get(flowId) {
          const flow = await flows.get(flowId);
          return flow && halfDone.has(flowId) ? { ...flow, status: "waiting" } : flow;
        },
      };
    }),
  },
  "persist-create-listed": {
    bug: "A create_flow that could not be stored is refused, and in the list all the same.",
    kills: ["GAP-NOT-STORED-NOT-LISTED"],
    change: withFlows((flows) => {
      const refused: string[] = [];
      return {
        async tryCreateManaged(input) {
          const created = await flows.tryCreateManaged(input);
          if (created === null) refused.push(input.goal ?? "");
          return created;
        },
        async list() {
          const stored = await flows.list();
          const unstored = stored
            .slice(0, 1)
            .flatMap((flow) => refused.map((goal, index) => ({ ...flow, flowId: `${flow.flowId}-${index}`, goal })));
          return [...stored, ...unstored];
        },
      };
    }),
  },
  "wait-data-renamed": {
    bug: "The names in the state that set_waiting is given are turned into camel case.",
    kills: ["ACTION-WAIT-DATA-EXACT"],
    change: withFlows((flows) => ({
      setWaiting({ stateJson, ...input }) {
        if (stateJson === undefined) return flows.setWaiting(input);
        const text = JSON.stringify(stateJson).replace(/_([a-z])(?=\w*":)/g, (_all, letter: string) =>
          letter.toUpperCase(),
        );
        return flows.setWaiting({ ...input, stateJson: JSON.parse(text) as typeof stateJson });
      },
    })),
  },
  "auth-72-characters": {
    bug: "Only the first 72 characters of a secret count.",
    kills: ["AUTH-LAST-CHARACTER"],
    change: withParts({
      createSecretCheck: (secret) => (presented) =>
        typeof secret === "string" && presented?.slice(0, 72) === secret.slice(0, 72),
    }),
  },
  "secret-cold-other-challenge": {
    bug: "The 401 of a route without its secret has a challenge of its own, so strangers see which routes are cold.",
    kills: ["SECRET-COLD-GENERIC"],
    change: withStage("authentication", ({ run }) => async (exchange) => {
      const outcome = await run(exchange);
      if (outcome === undefined || outcome === "aborted" || typeof exchange.context.route.secret === "string")
        return outcome;
      return { ...outcome, headers: { ...outcome.headers, "WWW-Authenticate": 'Bearer realm="inactive"' } };
    }),
  },
  "task-running-fields-truthy": {
    bug: "The fields of a running task are looked for by their truth, so 0 and an empty text pass with any status.",
    kills: ["RUN-TASK-STARTED-AT-ZERO", "RUN-TASK-LAST-EVENT-AT-ZERO", "RUN-TASK-PROGRESS-EMPTY"],
    change: withRequest((body) => {
      if (body["action"] !== "run_task" || body["status"] === "running") return body;
      return Object.fromEntries(
        Object.entries(body).filter(([name, value]) => !runningFields.includes(name) || Boolean(value)),
      );
    }),
  },
  "cancel-after-request-at-once": {
    bug: "cancel_flow after request_cancel answers as if it were done while a child is still active.",
    kills: ["CANCEL-AFTER-REQUEST"],
    change: withFlows((flows) => ({
      async cancel(input) {
        const before = await flows.get(input.flowId);
        const result = await flows.cancel(input);
        if (before?.cancelRequestedAt === undefined) return result;
        const { code: _code, ...rest } = result;
        return { ...rest, cancelled: true };
      },
    })),
  },
});
