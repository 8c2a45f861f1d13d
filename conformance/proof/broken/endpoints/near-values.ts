/** Sections 2, 4 and 7: values that are near a right one and are taken for it, most for one action or beside one field. */
import type { RouteContext } from "../../../../plugin/contract.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { asText, currentRevision, withParsing, withRequest, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";
import { percentDecoded } from "../authentication/accepted.ts";
import { upToNul } from "./near-names.ts";

/** How one action reads its expectedRevision; undefined keeps what was sent, or that nothing was. */
const revisionOf =
  (action: string) =>
  (read: (sent: Json | undefined, current: number) => Json | undefined): Change =>
    withRequest(async (body, context) => {
      if (body["action"] !== action) return body;
      const expectedRevision = read(body["expectedRevision"], await currentRevision(body["flowId"], context));
      return expectedRevision === undefined ? body : { ...body, expectedRevision };
    });

/** How one action reads its flowId. `ids`: those of the session. */
const idOf =
  (action: string) =>
  (read: (sent: string, ids: readonly string[]) => string | undefined): Change =>
    withRequest(async (body, { flows }) => {
      const { flowId: sent } = body;
      if (body["action"] !== action || typeof sent !== "string") return body;
      const ids = (await flows.list()).map(({ flowId }) => flowId);
      return { ...body, flowId: read(sent, ids) ?? sent };
    });

/** The fields of one action are changed before they are checked. */
export const fieldsOf =
  (action: string) =>
  (change: (body: JsonObject) => JsonObject): Change =>
    withRequest((body) => (body["action"] === action ? change(body) : body));

const latestFor = async (body: JsonObject, { flows }: RouteContext): Promise<JsonObject> => ({
  ...body,
  flowId: (await flows.findLatest())?.flowId ?? "",
});

/** An id that is missing is that of the latest flow. */
const latestIn = (action: string): Change =>
  withRequest((body, context) =>
    body["action"] === action && body["flowId"] === undefined ? latestFor(body, context) : body,
  );

const matches = (pattern: string, id: string): boolean =>
  pattern.length === id.length && pattern.split("").every((sign, at) => sign === "_" || sign === id[at]);

/** An expectedRevision is kept in 64 bits, without a look at what does not fit. */
const wraps = withParsing((text, right) => {
  const cut = text.replace(/("expectedRevision":)(\d{17,})(?=[,}])/, (_all, name: string, digits: string) => {
    return `${name}${BigInt.asUintN(64, BigInt(digits))}`;
  });
  return text.includes('"resume_flow"') && cut !== text ? right(cut) : right();
});

/** A notifyPolicy that is an empty list is stored as it came. */
const keepsEmptyPolicy = withStage("action", async (exchange, right) => {
  const { notifyPolicy, ...rest } = exchange.body ?? {};
  if (rest["action"] !== "create_flow" || !Array.isArray(notifyPolicy) || notifyPolicy.length > 0) return right();
  const outcome = await right({ ...exchange, body: rest });
  if (typeof outcome !== "object") return outcome;
  const { flow } = outcome.result as { flow?: object };
  return { ...outcome, result: { ...outcome.result, flow: { ...flow, notifyPolicy } } };
});

function mixedIds(): () => string {
  let count = 0;
  return () => `aB${(count += 1)}cD-${crypto.randomUUID()}`;
}

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

/** Turns a boolean into a string or a number; a flowId becomes that of the latest flow. */
const mends = (action: string, field: string): Change =>
  withRequest((body, context) => {
    const value = body[field];
    if (body["action"] !== action || typeof value !== "boolean") return body;
    if (field === "flowId") return latestFor(body, context);
    return { ...body, [field]: field === "expectedRevision" ? 0 : asText(value) };
  });

export const nearValues: readonly Subject[] = [
  ...Object.entries(mended).flatMap(([action, field]) =>
    failing(action === "create_flow" ? "GAP-WRONG-TYPE" : `GAP-FIELDS-${action.toUpperCase().replaceAll("_", "-")}`, {
      [`${field} of ${action} is made up where it is true or false`]: mends(action, field),
    }),
  ),
  ...failing("FIELD-VALUES-FINISH-FLOW", revisionOf("finish_flow"), {
    "A finish_flow without expectedRevision is applied to whatever revision there is": (sent, current) =>
      sent === undefined ? current : undefined,
    "In finish_flow an expectedRevision given as a text is taken for the number": (sent) =>
      typeof sent === "string" ? Number(sent) : undefined,
    "In finish_flow an expectedRevision of null switches the check off": (sent, current) =>
      sent === null ? current : undefined,
    "In finish_flow an expectedRevision of true is taken for 1": (sent) =>
      typeof sent === "boolean" ? Number(sent) : undefined,
    "In finish_flow an expectedRevision in a list is taken for the number": (sent) =>
      Array.isArray(sent) ? Number(sent) : undefined,
    "In finish_flow an object sent as expectedRevision is a pattern of the database, which any revision fits": (
      sent,
      current,
    ) => (typeof sent === "object" && sent !== null && !Array.isArray(sent) ? current : undefined),
    "In finish_flow an expectedRevision is kept in 32 bits, so one that is too large comes round again": (sent) =>
      typeof sent === "number" && sent >= 2 ** 32 ? sent % 2 ** 32 : undefined,
    "In finish_flow an expectedRevision is kept in single precision (row: a fraction that single precision loses)": (
      sent,
    ) => (typeof sent === "number" ? Math.fround(sent) : undefined),
  }),
  ...failing("FIELD-VALUES-SET-WAITING", revisionOf("set_waiting"), {
    "In set_waiting an expectedRevision of -1 stands for any revision": (sent, current) =>
      sent === -1 ? current : undefined,
  }),
  ...failing("FIELD-VALUES-FAIL-FLOW", revisionOf("fail_flow"), {
    'In fail_flow an expectedRevision of "latest" stands for the current one': (sent, current) =>
      sent === "latest" ? current : undefined,
  }),
  ...failing("FIELD-VALUES-RESUME-FLOW", {
    "resume_flow keeps its expectedRevision in 64 bits, so 2^64 more is the same": wraps,
  }),
  ...failing("FIELD-VALUES-REQUEST-CANCEL", idOf("request_cancel"), {
    "In request_cancel an id ends at a NUL": upToNul,
  }),
  ...failing("FIELD-VALUES-CANCEL-FLOW", idOf("cancel_flow"), {
    "cancel_flow looks its id up with LIKE (row: its id with a wildcard of SQL)": (sent, ids) =>
      ids.find((id) => matches(sent, id)),
  }),
  ...failing("FIELD-VALUES-GET-FLOW", idOf("get_flow"), {
    "get_flow decodes its id as if it came from a URL (row: its id with an escaped letter)": percentDecoded,
  }),
  ...failing("FIELD-VALUES-RUN-TASK", idOf("run_task"), {
    "run_task drops characters of no width from its id": (sent) => sent.replaceAll("\u200b", ""),
  }),
  ...failing("FIELD-VALUES-FINISH-FLOW", idOf("finish_flow"), {
    "finish_flow finds a flow by the beginning of its id": (sent, ids) =>
      sent.length < 16 ? undefined : ids.find((id) => id.startsWith(sent)),
  }),
  ...failing("FIELD-VALUES-FINISH-FLOW", {
    "Ids have letters of both cases, and finish_flow compares them in any (row: its id in the other case)": {
      ...idOf("finish_flow")((sent, ids) => ids.find((id) => id.toLowerCase() === sent.toLowerCase())),
      runtime: { ids: mixedIds() },
    },
    "A finish_flow without flowId is applied to the latest flow": latestIn("finish_flow"),
    "A flowId in a list of one is taken for the flowId": withRequest((body) => {
      const [only] = Array.isArray(body["flowId"]) ? body["flowId"] : [];
      return typeof only === "string" ? { ...body, flowId: only } : body;
    }),
  }),
  ...failing("REFUSED-AGAIN", { "run_task without flowId adds a task to the latest flow": latestIn("run_task") }),
  ...failing("RUN-TASK-RUNTIMES", fieldsOf("run_task"), {
    "With status queued the runtimes `cli` and `cron` are taken for subagent": (body) =>
      body["status"] === "queued" && /^(cli|cron)$/.test(asText(body["runtime"]))
        ? { ...body, runtime: "subagent" }
        : body,
    "A runtime that is no text is turned into one": (body) =>
      Array.isArray(body["runtime"]) ? { ...body, runtime: asText(body["runtime"]) } : body,
  }),
  ...failing("RUN-TASK-STATUSES", fieldsOf("run_task"), {
    "With lastEventAt the status `in_progress` is taken for running": (body) =>
      "lastEventAt" in body && body["status"] === "in_progress" ? { ...body, status: "running" } : body,
  }),
  ...failing("FIELD-TYPES", fieldsOf("run_task"), {
    "A startedAt of true stands for now": (body) =>
      body["startedAt"] === true ? { ...body, startedAt: 1_767_225_600_000 } : body,
  }),
  ...failing("GAP-FIELDS-RUN-TASK", fieldsOf("run_task"), {
    "For the optional texts of run_task false is as good as nothing": (body) =>
      Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== false || name === "preferMetadata")),
  }),
  ...failing("FIELD-TYPES-SHOWN", { "A notifyPolicy that is an empty list is stored as it came": keepsEmptyPolicy }),
  ...failing("GAP-OTHER-VALUE", fieldsOf("create_flow"), {
    "create_flow takes a status with a capital first letter": (body) =>
      body["status"] === "Queued" ? { ...body, status: "queued" } : body,
  }),
];
