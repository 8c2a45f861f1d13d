/** Which forms of a request the target takes, where the interface leaves them open: a child's session, and fields and their types. */
import { isJsonText } from "../harness/checks.ts";
import { outcomesOf, type Allowed, type FlowAction } from "../interface/flow-model.ts";
import { departure, type Departure } from "../harness/finding.ts";
import type { Learned } from "./learned.ts";
import { printOf, type Response, type Sent } from "./response.ts";
import type { TaskVerdict } from "./task-rules.ts";
import type { KnownFlow, World } from "./world.ts";

/** Whether run_task has to name a child session is open, and so is which: where the target insists on one, requests name it. */
const runtimes: readonly unknown[] = ["subagent", "acp"];

/** The forms of a right run_task, in the order in which they are tried: no key, one below the session's own, its own. */
export const keyForms = ["no childSessionKey", "a child's childSessionKey", "its own childSessionKey"] as const;
export type KeyForm = (typeof keyForms)[number];

/** Key in `learned`, for each runtime: one may need a session and another not. */
export const keyRule = (form: string, runtime: unknown): string =>
  `takes run_task with ${form}, runtime ${JSON.stringify(runtime)}`;

/** The first form that the target has not refused for this runtime; undefined where it has refused all. */
export function keyFormFor(learned: Learned, runtime: unknown): KeyForm | undefined {
  const isLeft = (form: KeyForm) => learned.get(keyRule(form, runtime)) !== "no";
  // Nothing is learned about an unknown runtime. A key that one of the known runtimes needs does no harm there.
  if (!runtimes.includes(runtime))
    return runtimes.map((known) => keyFormFor(learned, known)).find((form) => form !== keyForms[0]) ?? keyForms[0];
  return keyForms.find(isLeft);
}

/** Key in `learned`: whether the target accepts cancel_flow without a revision. */
export const WITHOUT_REVISION = "takes cancel_flow";

/** A target may refuse longer texts, characters. */
const LONG_TEXT = 1000;

/** The JSON type of a value, or of the JSON that a text holds: a target may take data of one type only, or as a text. */
function formOf(value: unknown): string {
  if (typeof value !== "string") return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  if (value.length > LONG_TEXT) return "long text";
  return isJsonText(value) ? `text of ${formOf(JSON.parse(value))}` : "text";
}

/** The form of a run_task whose key may be wanted or unwanted; undefined for any other key, of which nothing is learned. */
function keyFormOf({ sessions }: World, { action, childSessionKey: key }: Sent["body"]): KeyForm | undefined {
  if (action !== "run_task") return undefined;
  if (key === undefined) return keyForms[0];
  if (key === `${sessions.home}-child`) return keyForms[1];
  return key === sessions.home ? keyForms[2] : undefined;
}

/** The body without a childSessionKey of a known form, for which acceptance is learned separately. */
export function withoutKnownKey(world: World, body: Sent["body"]): Sent["body"] {
  const { childSessionKey: _key, ...others } = body;
  return keyFormOf(world, body) === undefined ? body : others;
}

/** Key in `learned`: whether the target accepts the open fields in these forms; undefined without such a field. */
function ruleOf(world: World, action: string, body: Sent["body"]): string | undefined {
  const { stateData, waitData, blockedSummary } = world.fields;
  const form = keyFormOf(world, body);
  const open = ["currentStep", blockedSummary, stateData, waitData, ...(form === undefined ? ["childSessionKey"] : [])];
  const given = open.filter((field) => Object.hasOwn(body, field)).map((field) => `${field}: ${formOf(body[field])}`);
  if (action === "run_task")
    return keyRule([form, ...given].filter((part) => part !== undefined).join(", "), body["runtime"]);
  const revision = action === "cancel_flow" && "expectedRevision" in body ? " with a revision" : "";
  if (action === "cancel_flow" && given.length === 0) return `${WITHOUT_REVISION}${revision}`;
  return given.length === 0 ? undefined : `takes ${action}${revision} with ${given.join(", ")}`;
}

/** False until the target has accepted the form once: before that a refusal may be due to the form. */
export function isFormTaken(world: World, action: string, body: Sent["body"]): boolean {
  const rule = ruleOf(world, action, body);
  return rule === undefined || world.learned.get(rule) === "yes";
}

interface Asked {
  readonly action: FlowAction;
  readonly body: Sent["body"];
  readonly verdict: TaskVerdict;
  readonly allowed: readonly Allowed[];
}

/** True of a refusal for fields whose names and forms the interface does not give: it is not judged. */
export function isForForm(world: World, flow: KnownFlow, asked: Asked, response: Response): boolean {
  const { learned } = world;
  const { action, body, verdict } = asked;
  const rule = ruleOf(world, action, body);
  if (response.accepted && rule !== undefined && !isStated(verdict)) learned.holds(rule, "yes");
  if (response.accepted || rule === undefined || learned.get(rule) === "yes") return false;
  const form = keyFormOf(world, body);
  // If the key may be the reason as well, the refusal says nothing about the fields.
  if (isStated(verdict) && learned.get(keyRule(form ?? "", body["runtime"])) === "yes") return false;
  if (verdict.kind !== "right" && isClientError(response)) return true;
  const mayBeItsState = outcomesOf(flow.state, { action }, world.gaps).some((one) => !one.accepted);
  if (!mayBeForForm(world, form, asked, mayBeItsState, response)) return false;
  // Another field or the flow's state may be the reason as well: nothing is learned then.
  if (isWithoutPast(flow, asked) && !mayBeItsState) learned.holds(rule, "no");
  return true;
}

/** The interface itself forbids the fields. */
const isStated = (verdict: TaskVerdict): boolean => verdict.kind === "wrong" && verdict.clause !== "ERROR-INVALID";

const isClientError = ({ status }: Response): boolean => status >= 400 && status < 500 && status !== 401;

/** Whether its form may be why a request was refused. Where the flow's state may be the reason too, the status decides. */
function mayBeForForm(
  { gaps }: World,
  form: KeyForm | undefined,
  { action, allowed }: Asked,
  mayBeItsState: boolean,
  { status, code }: Response,
): boolean {
  const isRefusal = status >= 400 && status !== 401;
  // No profile says whether a task has to name its session, nor which; one that binds the code of a missing field names that.
  if (form !== undefined && form !== keyForms[0] && !mayBeItsState && isRefusal) return true;
  const isKey = form !== undefined && code === gaps["validation.missing-field"];
  if (!isKey && gaps["cancel.status"] !== undefined) return false;
  const isRefused = !allowed.some((one) => one.accepted) || allowed.some((one) => !one.accepted && !isConflict(one));
  // The status and code of a refusal for a missing field are open, too.
  if (!isRefused && (action === "cancel_flow" || action === "run_task")) return isRefusal;
  return code !== "revision_conflict" && (isRefused ? [400, 422] : [400, 409, 422]).includes(status);
}

/** Right fields in a flow without a past, which may be why run_task or cancel_flow is refused. */
const isWithoutPast = ({ state }: KnownFlow, { action, verdict }: Asked): boolean =>
  verdict.kind === "right" &&
  ((action !== "run_task" && action !== "cancel_flow") ||
    (["begun", "queued"].includes(state.phase) && state.tasks === 0));

/** A run_task with nothing open but its key, of which the target has now refused every form. */
export function refusedEver(
  { learned }: World,
  action: string,
  { runtime }: Sent["body"],
  response: Response,
): Departure | undefined {
  if (action !== "run_task" || keyFormFor(learned, runtime) !== undefined) return undefined;
  return departure("ACTION-RUN-TASK", "run_task accepted, with a childSessionKey or without", printOf(response));
}

export const isConflict = ({ code }: Pick<Allowed, "code">): boolean => code === "revision_conflict";
