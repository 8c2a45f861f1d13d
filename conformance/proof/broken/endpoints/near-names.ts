/** Section 4: names that are near a field's name and are taken for it. */
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { together, perStart, withAction, withParsing, withRequest } from "../../changes.ts";
import { idOf } from "../../../interface/values.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** A text as a reader in C sees it. */
export const upToNul = (text: string): string => text.split("\u0000", 1)[0] ?? "";

const own = (body: JsonObject): Json | undefined =>
  Object.getOwnPropertyDescriptor(body, "__proto__")?.value as Json | undefined;

/** What requests have planted stands for what a create_flow does not send. */
const keepsPrototypes: Change = perStart(() => {
  const planted: JsonObject = {};
  return withRequest((body) => {
    const nested = own(body);
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

export const nearNames: readonly Subject[] = [
  ...Object.entries(readings).flatMap(([action, [what, read]]) =>
    failing(`FIELD-NAMES-${idOf(action)}`, { [`Among the names of ${action} ${what}`]: renames(action, read) }),
  ),
  ...failing("BODY-SHAPES", withRequest, {
    "A run_task may be the `data` of a webhook's own envelope, which is unwrapped (row: the object as data)": (
      body,
    ) => {
      const { data } = body;
      if ("action" in body || typeof data !== "object" || data === null || Array.isArray(data)) return body;
      return data["action"] === "run_task" ? data : body;
    },
  }),
  ...failing("BODY-PROTOTYPES", {
    "Fields below __proto__ are merged into every later object, so a new flow gets a status that nobody sent":
      keepsPrototypes,
  }),
  ...failing("BODY-NAME-TWICE", {
    "Of a goal that is there twice the answer shows the first and the store keeps the last": together(
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
  }),
  ...failing("ACTION-NAME-EXACT", withRequest, {
    "The name of an action ends at a NUL (row: text behind a NUL)": ({ action, ...body }) => ({
      ...body,
      ...(action !== undefined && { action: typeof action === "string" ? upToNul(action) : action }),
    }),
  }),
];
