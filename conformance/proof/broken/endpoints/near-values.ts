/** Sections 2 and 4: values that are near a right one and are taken for it, each for one action or beside one field. */
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { upToNul } from "./near-names.ts";
import { currentRevision, withFlows, withRequest, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

type Read = (sent: Json, current: () => Promise<number>) => Json | Promise<Json>;

/** One action reads its expectedRevision in a way of its own. */
const revisionOf = (action: string, read: Read): Change =>
  withRequest(async (body, context) => {
    const { expectedRevision: sent, flowId } = body;
    if (body["action"] !== action || sent === undefined) return body;
    return { ...body, expectedRevision: await read(sent, () => currentRevision(flowId, context)) };
  });

/** One action reads its flowId in a way of its own; `ids`: those of the session. */
const idOf = (action: string, read: (sent: string, ids: readonly string[]) => string): Change =>
  withRequest(async (body, { flows }) => {
    const { flowId: sent } = body;
    if (body["action"] !== action || typeof sent !== "string") return body;
    const ids = (await flows.list()).map(({ flowId }) => flowId);
    return { ...body, flowId: read(sent, ids) };
  });

/** A field of run_task is read in a way of its own. */
const taskOf = (change: (body: JsonObject) => JsonObject): Change =>
  withRequest((body) => (body["action"] === "run_task" ? change(body) : body));

const matches = (pattern: string, id: string): boolean =>
  pattern.length === id.length && pattern.split("").every((sign, at) => sign === "_" || sign === id[at]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An expectedRevision is kept in 64 bits, without a look at what does not fit. */
const wraps: Change = {
  parts: (parts) => ({
    ...parts,
    parseBody: (bytes, depth) => {
      const text = new TextDecoder().decode(bytes);
      const cut = text.replace(/("expectedRevision":)(\d{17,})(?=[,}])/, (_all, name: string, digits: string) => {
        return `${name}${BigInt.asUintN(64, BigInt(digits))}`;
      });
      return parts.parseBody(
        text.includes('"resume_flow"') && cut !== text ? new TextEncoder().encode(cut) : bytes,
        depth,
      );
    },
  }),
};

export const nearValues: readonly Subject[] = subjectsOf<Subject>({
  "revision-minus-one": {
    bug: "In set_waiting an expectedRevision of -1 stands for any revision (row: -1).",
    kills: ["FIELD-VALUES-SET-WAITING"],
    change: revisionOf("set_waiting", (sent, current) => (sent === -1 ? current() : sent)),
  },
  "revision-64-bits": {
    bug: "resume_flow keeps its expectedRevision in 64 bits, so 2^64 more is the same (row: it and 2^64).",
    kills: ["FIELD-VALUES-RESUME-FLOW"],
    change: wraps,
  },
  "revision-single-precision": {
    bug: "finish_flow keeps its expectedRevision in single precision (row: a fraction that single precision loses).",
    kills: ["FIELD-VALUES-FINISH-FLOW"],
    change: revisionOf("finish_flow", (sent) => (typeof sent === "number" ? Math.fround(sent) : sent)),
  },
  "revision-latest": {
    bug: 'In fail_flow an expectedRevision of "latest" stands for the current one (row: the text "latest").',
    kills: ["FIELD-VALUES-FAIL-FLOW"],
    change: revisionOf("fail_flow", (sent, current) => (sent === "latest" ? current() : sent)),
  },
  "id-ends-at-nul": {
    bug: "In request_cancel an id ends at a NUL (row: its id, a NUL and a text).",
    kills: ["FIELD-VALUES-REQUEST-CANCEL"],
    change: idOf("request_cancel", upToNul),
  },
  "id-like": {
    bug: "cancel_flow looks its id up with LIKE (row: its id with a wildcard of SQL).",
    kills: ["FIELD-VALUES-CANCEL-FLOW"],
    change: idOf("cancel_flow", (sent, ids) => ids.find((id) => matches(sent, id)) ?? sent),
  },
  "id-percent-decoded": {
    bug: "get_flow decodes its id as if it came from a URL (row: its id with an escaped letter).",
    kills: ["FIELD-VALUES-GET-FLOW"],
    change: idOf("get_flow", decoded),
  },
  "id-without-format-characters": {
    bug: "run_task drops characters of no width from its id (row: its id and a space of no width).",
    kills: ["FIELD-VALUES-RUN-TASK"],
    change: idOf("run_task", (sent) => sent.replaceAll("\u200b", "")),
  },
  "id-in-any-case": {
    bug: "Ids have letters of both cases, and finish_flow compares them in any (row: its id in the other case).",
    kills: ["FIELD-VALUES-FINISH-FLOW"],
    change: {
      ...idOf("finish_flow", (sent, ids) => ids.find((id) => id.toLowerCase() === sent.toLowerCase()) ?? sent),
      runtime: { ids: mixedIds() },
    },
  },
  "runtime-of-neighbours-queued": {
    bug: "With status queued the runtimes `cli` and `cron` are taken for subagent.",
    kills: ["RUN-TASK-RUNTIMES"],
    change: taskOf((body) =>
      body["status"] === "queued" && (body["runtime"] === "cli" || body["runtime"] === "cron")
        ? { ...body, runtime: "subagent" }
        : body,
    ),
  },
  "status-in-progress": {
    bug: "With lastEventAt the status `in_progress` is taken for running.",
    kills: ["RUN-TASK-STATUSES"],
    change: taskOf((body) =>
      "lastEventAt" in body && body["status"] === "in_progress" ? { ...body, status: "running" } : body,
    ),
  },
  "policy-list-kept": {
    bug: "A notifyPolicy that is an empty list is stored as it came.",
    kills: ["FIELD-TYPES-SHOWN"],
    change: withStage("action", ({ run }) => async (exchange) => {
      const { body = {} } = exchange;
      const { notifyPolicy, ...rest } = body;
      if (body["action"] !== "create_flow" || !Array.isArray(notifyPolicy) || notifyPolicy.length > 0)
        return run(exchange);
      const outcome = await run({ ...exchange, body: rest });
      if (typeof outcome !== "object") return outcome;
      const { flow } = outcome.result as { flow?: object };
      return { ...outcome, result: { ...outcome.result, flow: { ...flow, notifyPolicy } } };
    }),
  },
  "time-true-is-now": {
    bug: "A startedAt of true stands for now.",
    kills: ["FIELD-TYPES"],
    change: taskOf((body) => (body["startedAt"] === true ? { ...body, startedAt: 1_767_225_600_000 } : body)),
  },
  "text-false-is-absent": {
    bug: "For the optional texts of run_task false is as good as nothing.",
    kills: ["GAP-FIELDS-RUN-TASK"],
    change: taskOf((body) =>
      Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== false || name === "preferMetadata")),
    ),
  },
  "create-status-any-case": {
    bug: "create_flow takes a status with a capital first letter.",
    kills: ["GAP-OTHER-VALUE"],
    change: withRequest((body) =>
      body["action"] === "create_flow" && body["status"] === "Queued" ? { ...body, status: "queued" } : body,
    ),
  },
  "goal-ends-at-nul": {
    bug: "A goal is stored up to its first NUL.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal(upToNul),
  },
  "goal-small-letters": {
    bug: "A goal of plain words is stored in small letters.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) => (/^[a-z ]+$/i.test(goal) ? goal.toLowerCase() : goal)),
  },
  "goal-ends-at-half": {
    bug: "A goal is stored up to the first half of a pair of surrogates.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: storesGoal((goal) =>
      goal.replace(/(?<![\ud800-\udbff])[\udc00-\udfff].*$|[\ud800-\udbff](?![\udc00-\udfff]).*$/s, ""),
    ),
  },
});

function storesGoal(mangle: (goal: string) => string): Change {
  return withFlows((flows) => ({
    tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, goal: mangle(input.goal) }),
  }));
}

function mixedIds(): () => string {
  let count = 0;
  return () => `aB${(count += 1)}cD-${crypto.randomUUID()}`;
}
