/** Sections 3, 4 and 7: invalid actions that are accepted. */
import { revisionActions } from "../../../interface/fields.ts";
import { accept, reject } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { both, withFlows, withOutcome, withRequest, withStage, withStatuses, currentRevision } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const isChange = (action: unknown): boolean => (revisionActions as readonly unknown[]).includes(action);

/** Reads the expectedRevision of a change leniently; undefined keeps what was sent. */
const readsRevision = (read: (sent: unknown, current: number) => Json | undefined): Change =>
  withRequest(async (body, context) => {
    if (!isChange(body["action"])) return body;
    const expectedRevision = read(body["expectedRevision"], await currentRevision(body["flowId"], context));
    return expectedRevision === undefined ? body : { ...body, expectedRevision };
  });

/** An absent flow gets another code. */
const absent = (action: string, code: Code = "mutation_rejected"): Subject => ({
  id: `absent-${action.replaceAll("_", "-")}`,
  bug: `${action} of a flow that does not exist has the code ${code}.`,
  kills: ["ACTION-ABSENT"],
  change: withOutcome(action, (answer) => (answer.code === "not_found" ? { ...answer, code } : answer)),
});

type Lenient = readonly [id: string, bug: string, read: Parameters<typeof readsRevision>[0]];

const lenient: readonly Lenient[] = [
  [
    "change-without-revision",
    "A change without expectedRevision is applied to whatever revision there is.",
    (sent, current) => (sent === undefined ? current : undefined),
  ],
  [
    "revision-text",
    "An expectedRevision given as a text is taken for the number.",
    (sent) => (typeof sent === "string" ? Number(sent) : undefined),
  ],
  [
    "revision-null",
    "An expectedRevision of null switches the check off.",
    (sent, current) => (sent === null ? current : undefined),
  ],
  [
    "revision-flag",
    "An expectedRevision of true is taken for 1.",
    (sent) => (typeof sent === "boolean" ? Number(sent) : undefined),
  ],
  [
    "revision-list",
    "An expectedRevision in a list is taken for the number.",
    (sent) => (Array.isArray(sent) ? Number(sent) : undefined),
  ],
  [
    "revision-object",
    "An object sent as expectedRevision is a pattern of the database, which any revision fits.",
    (sent, current) => (typeof sent === "object" && sent !== null && !Array.isArray(sent) ? current : undefined),
  ],
  [
    "revision-wrapped",
    "An expectedRevision is kept in 32 bits, so one that is too large comes round again.",
    (sent) => (typeof sent === "number" && sent >= 2 ** 32 ? sent % 2 ** 32 : undefined),
  ],
];

export const actionsRefused: readonly Subject[] = [
  ...lenient.map(([id, bug, read]) => ({ id, bug, kills: ["FIELD-VALUES-FINISH-FLOW"], change: readsRevision(read) })),
  absent("set_waiting"),
  absent("resume_flow"),
  absent("finish_flow"),
  absent("fail_flow"),
  absent("request_cancel"),
  absent("run_task", "task_not_created"),
  ...subjectsOf<Subject>({
    "absent-cancel-flow": {
      bug: "cancel_flow of a flow that does not exist is accepted, as if it had been cancelled long ago.",
      kills: ["ACTION-ABSENT"],
      change: withOutcome("cancel_flow", (answer) =>
        answer.code === "not_found" ? accept({ found: false, cancelled: true }) : answer,
      ),
    },
    "flow-id-of-another-type": {
      bug: "The column of ids is of type uuid: to look for another text is an error of the database.",
      kills: ["NEVER-5XX"],
      beside: ["FIELD-VALUES-FINISH-FLOW"],
      change: withFlows((flows) => ({
        get: (flowId) => {
          if (!/^[\da-f-]{36}$/.test(flowId)) throw new Error("invalid input syntax for type uuid");
          return flows.get(flowId);
        },
      })),
    },
    "change-without-flow-id": {
      bug: "A change without flowId is applied to the latest flow.",
      kills: ["FIELD-VALUES-FINISH-FLOW"],
      change: withRequest(async (body, { flows }) => {
        if (!isChange(body["action"]) || body["flowId"] !== undefined) return body;
        return { ...body, flowId: (await flows.findLatest())?.flowId ?? "" };
      }),
    },
    "flow-id-list": {
      bug: "A flowId in a list of one is taken for the flowId.",
      kills: ["FIELD-VALUES-FINISH-FLOW"],
      change: withRequest((body) => {
        const [only] = Array.isArray(body["flowId"]) ? body["flowId"] : [];
        return typeof only === "string" ? { ...body, flowId: only } : body;
      }),
    },
    "id-by-beginning": {
      bug: "A flow is found by the beginning of its id.",
      kills: ["FIELD-VALUES-FINISH-FLOW"],
      change: withRequest(async (body, { flows }) => {
        const { flowId } = body;
        if (typeof flowId !== "string" || flowId.length < 16) return body;
        const found = (await flows.list()).find((flow) => flow.flowId.startsWith(flowId));
        return found === undefined ? body : { ...body, flowId: found.flowId };
      }),
    },
    "field-ignored-code": {
      bug: "A missing field gets 422 with the code request_rejected.",
      kills: ["FIELD-VALUES-FINISH-FLOW"],
      change: both(
        withStatuses({ request_rejected: 422 }),
        withStage("action", ({ run }) => async (exchange) => {
          const outcome = await run(exchange);
          const invalid = typeof outcome === "object" && outcome.code === "invalid_request";
          return invalid ? reject("request_rejected") : outcome;
        }),
      ),
    },
  }),
];
