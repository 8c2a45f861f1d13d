/** Section 4: names that are near a field's name and are taken for it. */
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { together, perStart, withAction, withFields, withParsing, withRequest } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** A text as a reader in C sees it. */
export const upToNul = (text: string): string => text.split("\u0000", 1)[0] ?? "";

/** Each name of one action as this function reads it; of two that become one the last counts. */
const renames = (action: string, read: (name: string) => string): Change =>
  withFields(action, (body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [read(name), value])));

/** For one action another name stands for a field that is missing. */
const alias = (action: string, other: string, field: string): Change =>
  withFields(action, (body) => {
    const { [other]: value, ...rest } = body;
    return value !== undefined && !(field in body) ? { ...rest, [field]: value } : body;
  });

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

export const nearNames: readonly Subject[] = [
  // For each, in brackets, the row of the case that sees it.
  ...failing("FIELD-NAMES-RESUME-FLOW", {
    "resume_flow matches names with the folding of Unicode, in which a long s is an s (row: a letter that folds)":
      renames("resume_flow", (name) => name.replaceAll("\u017f", "s")),
  }),
  ...failing("FIELD-NAMES-FAIL-FLOW", {
    "fail_flow also knows expected_revision, for callers in other languages (row: underscores between its words)":
      alias("fail_flow", "expected_revision", "expectedRevision"),
  }),
  ...failing("FIELD-NAMES-SET-WAITING", {
    "In set_waiting a name ends at a NUL, as texts in C do (row: text behind a NUL)": renames("set_waiting", upToNul),
  }),
  ...failing("FIELD-NAMES-FINISH-FLOW", {
    "finish_flow takes `revision`, as views name it, where expectedRevision is missing (row: the name revision)": alias(
      "finish_flow",
      "revision",
      "expectedRevision",
    ),
  }),
  ...failing("FIELD-NAMES-RUN-TASK", {
    "run_task reads a missing status from `Status` (row: a capital first letter)": alias(
      "run_task",
      "Status",
      "status",
    ),
  }),
  ...failing("FIELD-NAMES-REQUEST-CANCEL", withRequest, {
    "A request_cancel may name its action `method`, as JSON-RPC does (row: the name method)": ({ method, ...body }) =>
      method === "request_cancel" && !("action" in body)
        ? { ...body, action: method }
        : { ...body, ...(method !== undefined && { method }) },
  }),
  ...failing("FIELD-NAMES-CREATE-FLOW", {
    "create_flow lets notify_policy, an older name, win over notifyPolicy (row: underscores between its words)":
      renames("create_flow", (name) => (name === "notify_policy" ? "notifyPolicy" : name)),
  }),
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
