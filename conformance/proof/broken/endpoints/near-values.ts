/** Sections 2, 4 and 7: values that are near a right one and are taken for it, most for one action or beside one field. */
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { asText, currentRevision, withParsing, withRequest, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";
import { idOf } from "../../../interface/values.ts";
import { percentDecoded } from "../authentication/authentication.ts";
import { upToNul } from "./near-names.ts";

/** What a flow's session holds, for readers of a field that guess. */
interface Known {
  /** The current revision of the flow that is named; 0 for an absent one. */
  readonly current: number;
  readonly ids: readonly string[];
  readonly latest: string;
}

/** Another way in which one action reads a field; undefined keeps what was sent, or that nothing was. */
export const reading =
  (action: string, field: string) =>
  (read: (sent: Json | undefined, known: Known, body: JsonObject) => Json | undefined): Change =>
    withRequest(async (body, context) => {
      if (body["action"] !== action) return body;
      const { flows } = context;
      const current = await currentRevision(body["flowId"], context);
      const ids = (await flows.list()).map(({ flowId }) => flowId);
      const latest = (await flows.findLatest())?.flowId ?? "";
      const value = read(body[field], { current, ids, latest }, body);
      return value === undefined ? body : { ...body, [field]: value };
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

/** A notifyPolicy that is an empty list is stored as it came. */
const keepsEmptyPolicy = withStage("action", async (exchange, right) => {
  const { notifyPolicy, ...rest } = exchange.body ?? {};
  if (rest["action"] !== "create_flow" || !Array.isArray(notifyPolicy) || notifyPolicy.length > 0) return right();
  const outcome = await right({ ...exchange, body: rest });
  if (typeof outcome !== "object") return outcome;
  const { flow } = outcome.result as { flow?: object };
  return { ...outcome, result: { ...outcome.result, flow: { ...flow, notifyPolicy } } };
});

let count = 0;
const mixedIds = (): string => `aB${(count += 1)}cD-${crypto.randomUUID()}`;

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
const made = (field: string): Parameters<ReturnType<typeof reading>>[0] => {
  const makes: Readonly<Record<string, (sent: boolean, latest: string) => Json>> = {
    flowId: (_sent, latest) => latest,
    expectedRevision: () => 0,
  };
  return (sent, { latest }) => (typeof sent === "boolean" ? (makes[field]?.(sent, latest) ?? asText(sent)) : undefined);
};

export const nearValues: readonly Subject[] = [
  ...Object.entries(mended).flatMap(([action, field]) =>
    failing(`GAP-FIELDS-${idOf(action)}`, {
      [`${field} of ${action} is made up where it is true or false`]: reading(action, field)(made(field)),
    }),
  ),
  ...failing("FIELD-VALUES-FINISH-FLOW", reading("finish_flow", "expectedRevision"), {
    "A finish_flow without expectedRevision is applied to whatever revision there is": (sent, { current }) =>
      sent === undefined ? current : undefined,
    "In finish_flow an expectedRevision given as a text is taken for the number": (sent) =>
      typeof sent === "string" ? Number(sent) : undefined,
    "In finish_flow an expectedRevision of null switches the check off": (sent, { current }) =>
      sent === null ? current : undefined,
    "In finish_flow an expectedRevision of true is taken for 1": (sent) =>
      typeof sent === "boolean" ? Number(sent) : undefined,
    "In finish_flow an expectedRevision in a list is taken for the number": (sent) =>
      Array.isArray(sent) ? Number(sent) : undefined,
    "In finish_flow an object sent as expectedRevision is a pattern of the database, which any revision fits": (
      sent,
      { current },
    ) => (typeof sent === "object" && sent !== null && !Array.isArray(sent) ? current : undefined),
    "In finish_flow an expectedRevision is kept in 32 bits, so one that is too large comes round again": (sent) =>
      typeof sent === "number" && sent >= 2 ** 32 ? sent % 2 ** 32 : undefined,
    "In finish_flow an expectedRevision is kept in single precision (row: a fraction that single precision loses)": (
      sent,
    ) => (typeof sent === "number" ? Math.fround(sent) : undefined),
  }),
  ...failing("FIELD-VALUES-SET-WAITING", reading("set_waiting", "expectedRevision"), {
    "In set_waiting an expectedRevision of -1 stands for any revision": (sent, { current }) =>
      sent === -1 ? current : undefined,
  }),
  ...failing("FIELD-VALUES-FAIL-FLOW", reading("fail_flow", "expectedRevision"), {
    'In fail_flow an expectedRevision of "latest" stands for the current one': (sent, { current }) =>
      sent === "latest" ? current : undefined,
  }),
  ...failing("FIELD-VALUES-RESUME-FLOW", {
    "resume_flow keeps its expectedRevision in 64 bits, so 2^64 more is the same": wraps,
  }),
  ...failing("FIELD-VALUES-REQUEST-CANCEL", reading("request_cancel", "flowId"), {
    "In request_cancel an id ends at a NUL": (sent) => (typeof sent === "string" ? upToNul(sent) : undefined),
  }),
  ...failing("FIELD-VALUES-CANCEL-FLOW", reading("cancel_flow", "flowId"), {
    "cancel_flow looks its id up with LIKE (row: its id with a wildcard of SQL)": (sent, { ids }) =>
      ids.find((id) => typeof sent === "string" && matches(sent, id)),
  }),
  ...failing("FIELD-VALUES-GET-FLOW", reading("get_flow", "flowId"), {
    "get_flow decodes its id as if it came from a URL (row: its id with an escaped letter)": (sent) =>
      typeof sent === "string" ? percentDecoded(sent) : undefined,
  }),
  ...failing("FIELD-VALUES-RUN-TASK", reading("run_task", "flowId"), {
    "run_task drops characters of no width from its id": (sent) =>
      typeof sent === "string" ? sent.replaceAll("\u200b", "") : undefined,
  }),
  ...failing("FIELD-VALUES-FINISH-FLOW", reading("finish_flow", "flowId"), {
    "finish_flow finds a flow by the beginning of its id": (sent, { ids }) =>
      ids.find((id) => typeof sent === "string" && sent.length >= 16 && id.startsWith(sent)),
    "A finish_flow without flowId is applied to the latest flow": (sent, { latest }) => sent ?? latest,
    "In finish_flow a flowId in a list of one is taken for the flowId": (sent) =>
      Array.isArray(sent) ? sent[0] : undefined,
  }),
  ...failing("FIELD-VALUES-FINISH-FLOW", {
    "Ids have letters of both cases, and finish_flow compares them in any (row: its id in the other case)": {
      ...reading(
        "finish_flow",
        "flowId",
      )((sent, { ids }) => ids.find((id) => id.toLowerCase() === asText(sent).toLowerCase())),
      runtime: { ids: mixedIds },
    },
  }),
  ...failing("REFUSED-AGAIN", reading("run_task", "flowId"), {
    "run_task without flowId adds a task to the latest flow": (sent, { latest }) => sent ?? latest,
  }),
  ...failing("RUN-TASK-RUNTIMES", reading("run_task", "runtime"), {
    "With status queued the runtimes `cli` and `cron` are taken for subagent": (sent, _known, { status }) =>
      status === "queued" && /^(cli|cron)$/.test(asText(sent)) ? "subagent" : undefined,
    "A runtime that is no text is turned into one": (sent) => (Array.isArray(sent) ? asText(sent) : undefined),
  }),
  ...failing("RUN-TASK-STATUSES", reading("run_task", "status"), {
    "With lastEventAt the status `in_progress` is taken for running": (sent, _known, body) =>
      "lastEventAt" in body && sent === "in_progress" ? "running" : undefined,
  }),
  ...failing("FIELD-TYPES", reading("run_task", "startedAt"), {
    "A startedAt of true stands for now": (sent) => (sent === true ? 1_767_225_600_000 : undefined),
  }),
  ...failing("FIELD-TYPES-SHOWN", { "A notifyPolicy that is an empty list is stored as it came": keepsEmptyPolicy }),
];
