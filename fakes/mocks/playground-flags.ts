/** The flags of the playground: one table, read by `parseArgs` and shown by `serve --help`. */

export interface Flag {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  readonly default?: string | false;
  /** Shown after the flag's name in the help; absent where the flag takes none. */
  readonly value?: string;
  readonly says: string;
}

export const playgroundFlags = {
  route: {
    type: "string",
    multiple: true,
    value: "ID",
    says: "a route at /plugins/webhooks/ID with a session of its own; may be given again",
  },
  "secret-env": {
    type: "string",
    multiple: true,
    value: "NAME",
    says: "the environment variable that holds its secret: one for all routes, or one for each in order",
  },
  port: { type: "string", default: "8080", value: "N", says: "where it listens on 127.0.0.1; 0 takes a free one" },
  product: { type: "string", default: "service", value: "NAME", says: "product name in x-<product>-webhook-secret" },
  flows: {
    type: "string",
    default: "0",
    value: "N",
    says: "flows in each session at the start, in each status in turn",
  },
  fault: {
    type: "string",
    multiple: true,
    value: "[ACTION:]OUTCOME=N",
    says: "every Nth action, or every Nth ACTION, ends in OUTCOME: a code (revision_conflict), a status (502), no_answer or lost_answer",
  },
  latency: { type: "string", default: "0", value: "MS", says: "delays every action by so many milliseconds" },
  "fail-persistence": {
    type: "string",
    multiple: true,
    value: "KIND",
    says: "writes of this kind fail: create, update, task or cancel",
  },
  "tasks-end": {
    type: "string",
    value: "MS",
    says: "active child tasks succeed by themselves after so many milliseconds",
  },
  verbose: { type: "boolean", default: false, says: "logs both bodies of each action too, the routes' secrets hidden" },
} as const satisfies Readonly<Record<string, Flag>>;
