/** Sections 2, 4 and 7: names and values that are near a right one and are taken for it, most for one action or field. */
import { z } from "zod";
import { accept } from "../../../../plugin/answer.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { idOf } from "../../../interface/values.ts";
import {
  together,
  perStart,
  withAction,
  withOutcome,
  withParsing,
  withRequest,
  asText,
  currentRevision,
  withSchema,
} from "../../changes.ts";
import { failing, failingEach, type Change, type Subject } from "../../subject.ts";
import { percentDecoded } from "../authentication/authentication.ts";

/** A text as a reader in C sees it. */
export const upToNul = (text: string): string => text.split("\u0000", 1)[0] ?? "";

const own = (body: JsonObject): Json | undefined =>
  Object.getOwnPropertyDescriptor(body, "__proto__")?.value as Json | undefined;

/** What requests have planted, where `from` finds it, stands for what a create_flow does not send. */
const keepsPrototypes = (from: (body: JsonObject) => Json | undefined): Change =>
  perStart(() => {
    const planted: JsonObject = {};
    return withRequest((body) => {
      const nested = from(body);
      if (typeof nested === "object" && nested !== null && !Array.isArray(nested)) Object.assign(planted, nested);
      const { status = body["status"] } = planted;
      return body["action"] !== "create_flow" || status === undefined ? body : { status, ...body };
    });
  });

const TWICE = "\u0001twice\u0001";

/** How one action reads names; of two that become one the last counts. */
const readings: Readonly<Record<string, readonly [what: string, read: (name: string) => string]>> = {
  resume_flow: ["a long s is an s, as Unicode folds it", (name) => name.replaceAll("\u017f", "s")],
  fail_flow: ["expected_revision is expectedRevision", (name) => name.replace("expected_r", "expectedR")],
  set_waiting: ["a NUL ends them, as texts in C", upToNul],
  finish_flow: ["revision is expectedRevision", (name) => name.replace(/^revision$/, "expectedRevision")],
  run_task: ["`Status` is status", (name) => name.replace("Status", "status")],
  request_cancel: ["`method`, as JSON-RPC has it, is action", (name) => name.replace("method", "action")],
  create_flow: ["notify_policy, an older name, is notifyPolicy", (name) => name.replace("notify_p", "notifyP")],
};

const renames = (action: string, read: (name: string) => string): Change =>
  withRequest((body) => {
    const renamed = Object.fromEntries(Object.entries(body).map(([name, value]) => [read(name), value]));
    return renamed["action"] === action ? renamed : body;
  });

/** What a flow's session holds, for readers of a field that guess. */
interface Known {
  /** The current revision of the flow that is named; 0 for an absent one. */
  readonly current: number;
  readonly ids: readonly string[];
  readonly latest: string;
}

type Read = (sent: Json | undefined, known: Known, body: JsonObject) => Json | undefined;

/** Another way in which one action reads a field; undefined keeps what was sent, or that nothing was. */
export const reading = (action: string, field: string, read: Read): Change =>
  withRequest(async (body, context) => {
    if (body["action"] !== action) return body;
    const { flows } = context;
    const current = await currentRevision(body["flowId"], context);
    const ids = (await flows.list()).map(({ flowId }) => flowId);
    const latest = (await flows.findLatest())?.flowId ?? "";
    const value = read(body[field], { current, ids, latest }, body);
    return value === undefined ? body : { ...body, [field]: value };
  });

/** The same in a table, by the case, the action and its field, and what is wrong. */
export const misreading = (table: Readonly<Record<string, Read>>): Subject[] =>
  failingEach(Object.entries(table), ([line, read]) => {
    const [, kills = "", action = "", field = "", bug = ""] = /^(\S+) (\w+) (\w+): (.+)$/.exec(line) ?? [];
    return [`${kills}: ${bug}`, reading(action, field, read)];
  });

const matches = (pattern: string, id: string): boolean =>
  pattern.length === id.length && pattern.split("").every((sign, at) => sign === "_" || sign === id[at]);

/** An expectedRevision is kept in 64 bits, without a look at what does not fit. */
const wraps = withParsing((text, right) => {
  const cut = text.replace(/("expectedRevision":)(\d{17,})(?=[,}])/, (_all, name: string, digits: string) => {
    return `${name}${BigInt.asUintN(64, BigInt(digits))}`;
  });
  return text.includes('"resume_flow"') && cut !== text ? right(cut) : right();
});

let count = 0;
const mixedIds = (): string => `aB${(count += 1)}cD-${crypto.randomUUID()}`;
const wordIds = (): string => `flow-${(count += 1)}`;

/** Ids are compared in any case by one action, as a column of MySQL or one with NOCASE does. */
const inAnyCase = (action: string, ids: () => string): Change => ({
  ...reading(action, "flowId", (sent, known) =>
    known.ids.find((id) => id.toLowerCase() === asText(sent).toLowerCase()),
  ),
  runtime: { ids },
});

/** For each action a field that can be corrected so that the action succeeds. */
const mended: Readonly<Record<string, string>> = {
  create_flow: "goal",
  get_flow: "flowId",
  resolve_flow: "token",
  get_task_summary: "flowId",
  set_waiting: "currentStep",
  resume_flow: "currentStep",
  finish_flow: "flowId",
  fail_flow: "blockedSummary",
  request_cancel: "flowId",
  cancel_flow: "expectedRevision",
  run_task: "label",
};

/** A boolean is turned into a text or a number; as a flowId it stands for the latest flow. */
const made =
  (field: string): Read =>
  (sent, { latest }) => {
    if (typeof sent !== "boolean") return undefined;
    return field === "flowId" ? latest : field === "expectedRevision" ? 0 : asText(sent);
  };

/** Values that one action takes for another one of its field. */
const misread = misreading({
  "FIELD-VALUES-SET-WAITING set_waiting expectedRevision: In set_waiting an expectedRevision of -1 stands for any revision":
    (sent, { current }) => (sent === -1 ? current : undefined),
  'FIELD-VALUES-FAIL-FLOW fail_flow expectedRevision: In fail_flow an expectedRevision of "latest" stands for the current one':
    (sent, { current }) => (sent === "latest" ? current : undefined),
  "FIELD-VALUES-REQUEST-CANCEL request_cancel flowId: In request_cancel an id ends at a NUL": (sent) =>
    typeof sent === "string" ? upToNul(sent) : undefined,
  "FIELD-VALUES-CANCEL-FLOW cancel_flow flowId: cancel_flow looks its id up with LIKE (row: its id with a wildcard of SQL)":
    (sent, { ids }) => ids.find((id) => typeof sent === "string" && matches(sent, id)),
  "FIELD-VALUES-GET-FLOW get_flow flowId: get_flow decodes its id as if it came from a URL (row: its id with an escaped letter)":
    (sent) => (typeof sent === "string" ? percentDecoded(sent) : undefined),
  "FIELD-VALUES-RUN-TASK run_task flowId: run_task drops characters of no width from its id": (sent) =>
    typeof sent === "string" ? sent.replaceAll("\u200b", "") : undefined,
  "FIELD-VALUES-RUN-TASK run_task flowId: run_task without flowId adds a task to the latest flow": (sent, { latest }) =>
    sent ?? latest,
  "FIELD-VALUES-FINISH-FLOW finish_flow flowId: finish_flow finds a flow by the beginning of its id": (sent, { ids }) =>
    ids.find((id) => typeof sent === "string" && sent.length >= 16 && id.startsWith(sent)),
  "FIELD-VALUES-FINISH-FLOW finish_flow flowId: A finish_flow without flowId is applied to the latest flow": (
    sent,
    { latest },
  ) => sent ?? latest,
  "FIELD-VALUES-FINISH-FLOW finish_flow expectedRevision: In finish_flow an expectedRevision is kept in 32 bits, so one that is too large comes round again":
    (sent) => (typeof sent === "number" && sent >= 2 ** 32 ? sent % 2 ** 32 : undefined),
  "FIELD-VALUES-FINISH-FLOW finish_flow expectedRevision: In finish_flow an expectedRevision is kept in single precision (row: a fraction that single precision loses)":
    (sent) => (typeof sent === "number" ? Math.fround(sent) : undefined),
  "RUN-TASK-STATUSES run_task status: With lastEventAt the status `in_progress` is taken for running": (
    sent,
    _known,
    body,
  ) => ("lastEventAt" in body && sent === "in_progress" ? "running" : undefined),
  "FIELD-TYPES run_task startedAt: A startedAt of true stands for now": (sent) =>
    sent === true ? 1_767_225_600_000 : undefined,
  "RUN-TASK-RUNTIMES run_task runtime: With status queued the runtimes `cli` and `cron` are taken for subagent": (
    sent,
    _known,
    { status },
  ) => (status === "queued" && /^(cli|cron)$/.test(asText(sent)) ? "subagent" : undefined),
  "RUN-TASK-RUNTIMES run_task runtime: A runtime that is no text is turned into one": (sent) =>
    Array.isArray(sent) ? asText(sent) : undefined,
});

export const fields: readonly Subject[] = [
  ...failing({
    "BODY-SHAPES: A run_task may be the `data` of a webhook's own envelope, which is unwrapped (row: the object as data)":
      withRequest((body) => {
        const { data } = body;
        if ("action" in body || typeof data !== "object" || data === null || Array.isArray(data)) return body;
        return data["action"] === "run_task" ? data : body;
      }),
    "BODY-PROTOTYPES: Fields below __proto__ are merged into every later object, so a new flow gets a status that nobody sent":
      keepsPrototypes(own),
    "BODY-PROTOTYPES: The state of a set_waiting is copied member by member, below __proto__ as well, so a new flow gets a status that nobody sent":
      keepsPrototypes(({ action, stateJson }) =>
        action === "set_waiting" ? own((stateJson ?? {}) as JsonObject) : undefined,
      ),
    "BODY-PROTOTYPES: The body is copied with its prototype, so a status below __proto__ lets a start time in (row: the status that a start time needs)":
      withRequest((body) => {
        const status = (own(body) as JsonObject | undefined)?.["status"];
        if (body["action"] !== "run_task" || status === undefined) return body;
        const { ["__proto__"]: _prototype, ...sent } = body;
        return { status, ...sent };
      }),
    "BODY-PROTOTYPES: The body is copied with its prototype, so an action below __proto__ is carried out (row: the action itself)":
      withParsing((_text, right) => {
        const body = right();
        const { action } = (body && (own(body) as JsonObject | undefined)) ?? {};
        return action === undefined || body?.["action"] !== undefined ? body : { action };
      }),
    "BODY-PROTOTYPES: The body is copied with its prototype, so a change takes its flow and revision from there (row: what a change needs)":
      withRequest((body) => {
        const { ["__proto__"]: _prototype, ...sent } = body;
        return body["action"] === "finish_flow" ? { ...(own(body) as JsonObject | undefined), ...sent } : body;
      }),
    "BODY-NAME-TWICE: Of a goal that is there twice the answer shows the first and the store keeps the last": together(
      withParsing((text, right) => {
        const body = right();
        const [, first, last] = /"goal":"([^"]*)","goal":"([^"]*)"/.exec(text) ?? [];
        return body && last !== undefined ? { ...body, goal: `${first}${TWICE}${last}` } : body;
      }),
      withAction("create_flow", async ({ fields, right }) => {
        const [first, last] = String(fields["goal"]).split(TWICE);
        if (last === undefined) return right();
        const answer = await right({ ...fields, goal: last });
        const { flow } = answer.result as { flow?: object };
        return { ...answer, result: { ...answer.result, flow: { ...flow, goal: first } } };
      }),
    ),
    "ACTION-NAME-EXACT: The name of an action ends at a NUL (row: text behind a NUL)": withRequest(
      ({ action, ...body }) => ({
        ...body,
        ...(action !== undefined && { action: typeof action === "string" ? upToNul(action) : action }),
      }),
    ),
    "FIELD-VALUES-RESUME-FLOW: resume_flow keeps its expectedRevision in 64 bits, so 2^64 more is the same": wraps,
    "FIELD-VALUES-FINISH-FLOW: Ids have letters of both cases, and finish_flow compares them in any (row: its id in the other case)":
      inAnyCase("finish_flow", mixedIds),
    "FIELD-VALUES-GET-FLOW: Flows are looked up in an object, which has more names than those that were put into it":
      withOutcome("get_flow", (answer, { flowId }) => (String(flowId) in {} ? accept({ flow: {} }) : answer)),
    "FIELD-VALUES-GET-FLOW: get_flow takes a token of resolve_flow as well (row: the key of the session)": withAction(
      "get_flow",
      async ({ fields, context, right }) => {
        const flow = await context.flows.resolve(String(fields["flowId"]));
        return right(flow ? { flowId: flow.flowId } : undefined);
      },
    ),
    "FIELD-VALUES-GET-FLOW: Ids are words with numbers, and get_flow finds them in capitals as well (row: its id in the other case)":
      inAnyCase("get_flow", wordIds),
    "FIELD-TYPES: A notifyPolicy that is an empty list is stored as it came": withSchema("create_flow", (schema) =>
      schema.extend({ notifyPolicy: z.union([z.string(), z.tuple([])]).exactOptional() }),
    ),
  }),
  ...failingEach(Object.entries(readings), ([action, [what, read]]) => [
    `FIELD-NAMES-${idOf(action)}: Among the names of ${action} ${what}`,
    renames(action, read),
  ]),
  ...failingEach(Object.entries(mended), ([action, field]) => [
    `GAP-FIELDS-${idOf(action)}: ${field} of ${action} is made up where it is true or false`,
    reading(action, field, made(field)),
  ]),
  ...misread,
];
