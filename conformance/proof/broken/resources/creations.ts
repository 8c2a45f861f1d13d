/** Sections 1, 2, 3 and 8: create_flow gone wrong, and goals stored otherwise than they were given. */
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { text } from "../../../../plugin/actions/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import type { Exchange } from "../../../../plugin/contract.ts";
import type { BoundFlows } from "../../../../plugin/ports.ts";
import {
  together,
  perStart,
  repeatsField,
  tried,
  sharesAnswers,
  withAction,
  withAnswer,
  withCreation,
  withLimits,
  withNotes,
  withSchema,
  withStage,
} from "../../changes.ts";
import { allFailing, failing, type Change, type Subject } from "../../subject.ts";
import { upToNul } from "../endpoints/fields.ts";

const LARGEST_BYTES = 262_144;

/** The refusal of a large body is decided without returning, so the action still runs. */
const goesOnAfterRefusal = together(
  withLimits({ bodyBytes: 4 * LARGEST_BYTES }),
  withAnswer((answer, { headers }) =>
    answer.ok && Number(headers["content-length"]) > LARGEST_BYTES ? reject("payload_too_large") : answer,
  ),
);

const clientOf = ({ request }: Exchange): unknown => request.socket.remoteAddress;

/** The session of a create_flow is kept by client instead of by request. */
const sessionKeptByClient = perStart(() => {
  const latest = new Map<unknown, BoundFlows>();
  return together(
    withStage("in-flight", (exchange, right) => {
      latest.set(clientOf(exchange), exchange.context.flows);
      return right();
    }),
    withStage("action", (exchange, right) => {
      const { body, context } = exchange;
      const flows = body?.["action"] === "create_flow" ? latest.get(clientOf(exchange)) : undefined;
      return right({ ...exchange, context: { ...context, flows: flows ?? context.flows } });
    }),
  );
});

let asked: string | undefined;

/** A new flow takes its id from the body where `isAllowed` says so. */
const takesFlowId = (isAllowed: (flows: BoundFlows, flowId: string) => Promise<boolean>): Change =>
  together(
    withAction("create_flow", async ({ fields: { flowId, ...fields }, context, right }) => {
      const allowed = typeof flowId === "string" && (await isAllowed(context.flows, flowId));
      asked = allowed ? flowId : undefined;
      try {
        // The flow is made before the first await.
        return right(fields);
      } finally {
        asked = undefined;
      }
    }),
    withSchema("create_flow", (schema) => schema.extend({ flowId: text.exactOptional() })),
    { runtime: { ids: () => asked ?? randomUUID() } },
  );

/** A route's controllerId is overwritten by the one that a create_flow through it sends. */
const keepsController = withNotes("create_flow", async ({ fields, context: { route }, right }, kept) => {
  if ("controllerId" in fields) kept.set(route.id, fields["controllerId"]);
  return right(kept.has(route.id) ? { ...fields, controllerId: kept.get(route.id) } : fields);
});

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", '"': "&quot;", "&": "&amp;" };

const storesGoal = (stored: (goal: string) => unknown): Change =>
  withCreation((input) => ({ ...input, goal: stored(input.goal) as string }));

export const creations: readonly Subject[] = [
  ...failing({
    "REQUEST-BODY: A body that is too large is refused, and its request carried out all the same": goesOnAfterRefusal,
    "SESSION-HELD-BODY: The session of a create_flow is that of the client's latest request, which came while its body was owed":
      sessionKeptByClient,
    "SESSION-FOREIGN-CREATE-FLOW: create_flow takes a flowId from the body and replaces the flow of another session that has it":
      takesFlowId(async (flows, flowId) => !(await flows.get(flowId))),
    "SESSION-SIBLING-CREATE-FLOW: create_flow takes a flowId from the body and replaces the flow of its session that has it":
      takesFlowId(async (flows, flowId) => Boolean(await flows.get(flowId))),
    "CREATE-NOTHING-FROM-BEFORE: The stateJson of one create_flow is the default of the next ones, whatever their session":
      repeatsField("create_flow", "stateJson"),
    "CREATE-NOTHING-FROM-BEFORE: The controllerId that a create_flow sends is that of its route from then on":
      keepsController,
    "ACTION-CREATE-FLOW-AT-ONCE: Equal create_flows of a route that overlap make one flow": sharesAnswers(
      "create_flow",
      ({ fields, context }) => JSON.stringify([context.route.id, fields]),
    ),
    "SESSION-HELD-BODY: Reads of one flow that overlap have one answer, whosever they are": sharesAnswers(
      "get_flow",
      ({ fields }) => JSON.stringify(fields),
    ),
  }),
  ...allFailing("CREATE-FLOW-FIELDS", storesGoal, {
    "A goal is stored up to its first NUL": upToNul,
    "A goal of plain words is stored in small letters": (goal) => (/^[a-z ]+$/i.test(goal) ? goal.toLowerCase() : goal),
    "A goal is stored up to the first half of a pair of surrogates": (goal) =>
      goal.replace(/(?<![\ud800-\udbff])[\udc00-\udfff].*$|[\ud800-\udbff](?![\udc00-\udfff]).*$/s, ""),
    "A goal is stored byte by byte as Latin-1": (goal) => Buffer.from(goal, "latin1").toString("latin1"),
    "A goal is stored with its signs escaped for HTML": (goal) =>
      goal.replace(/[<>"&]/g, (sign) => entities[sign] ?? sign),
    "A plus sign in a goal becomes a space, as in the data of a form": (goal) => goal.replaceAll("+", " "),
    "Line breaks and tabs in a goal become spaces": (goal) => goal.replace(/\s+/g, " "),
    "Comments are taken out of a body as if it were code, so a goal with a URL loses what follows `https:`": (goal) =>
      goal.replace(/\/\*.*?\*\//gs, "").replace(/\/\/.*$/gm, ""),
    "A goal is cut at 4,096 characters without a word": (goal) => goal.slice(0, 4096),
    "A goal that reads like a value is turned into one": (goal) => tried(() => JSON.parse(goal) as unknown, goal),
  }),
];
