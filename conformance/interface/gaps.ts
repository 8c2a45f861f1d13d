/**
 * The gaps: what the interface leaves open and a profile may bind. Each has an id, a kind of value and a title. The kind
 * holds no value that the interface rules out: a profile with one would demand what a case of another level forbids.
 */
import { z } from "zod";
import { limits, TRACKED_KEYS } from "./limits.ts";

/** Section 7: a refusal is no success, whichever status it has. */
const status = z.int().min(400, "expected 400 or more: it is the status of a refusal").max(599);
/** `ok` and `code` say that the flow is absent, whatever the status. */
const absentStatus = z.int().min(200).max(599);
const code = z.string().min(1);
const flag = z.boolean();
const count = z.int().min(0);
const text = z.string().min(1);
const { least, most } = limits["body size"].allowed;
const bodySize = "expected 256 KB, as 256000 or 262144 bytes or between them";
/** Not one of the fields that the interface itself gives to the action. */
const fieldBeside = (...stated: string[]) =>
  text.regex(new RegExp(`^(?!(?:${stated.join("|")})$)`), "the interface gives this field another meaning");
/** The codes to which section 7 gives a status. */
export const statusOfCode: ReadonlyMap<unknown, number> = new Map([
  ["invalid_request", 400],
  ["revision_conflict", 409],
]);

const gap = <T extends z.ZodType>(value: T, title: string) => ({ value, title });

export const gaps = {
  "config.duplicate-refused": gap(flag, "of two routes with one path neither is served"),
  "create.controller-field": gap(
    fieldBeside("action", "goal", "status", "notifyPolicy"),
    "field of create_flow that overrides the route's controllerId",
  ),
  "method.status": gap(status, "status for a method other than POST"),
  "method.code": gap(code, "code for a method other than POST"),
  "method.allow": gap(z.literal("POST"), "the Allow header of that answer"),
  "content-type.status": gap(status, "status for another content type"),
  "content-type.code": gap(code, "code for another content type"),
  "rate.status": gap(status, "status of the rate limit's refusal"),
  "rate.code": gap(code, "code of the rate limit's refusal"),
  "rate.retry-after": gap(flag, "that refusal has Retry-After: the seconds to the window's end, rounded up"),
  "rate.first-request-opens": gap(flag, "a key's first request opens its window; false: windows end by the clock"),
  "rate.path-canonical": gap(flag, "spelling variants of a path do not open another budget"),
  "rate.tracked-keys": gap(
    z.literal(TRACKED_KEYS),
    "keys tracked; a key beyond them has a whole budget, and one with requests in flight keeps its slots",
  ),
  "in-flight.status": gap(status, "status of the in-flight limit's refusal"),
  "in-flight.code": gap(code, "code of the in-flight limit's refusal"),
  "auth.code": gap(code, "code of an authentication failure"),
  "auth.challenge": gap(text, "the WWW-Authenticate header of a 401"),
  "auth.bearer-wins": gap(flag, "of two secrets that disagree the Bearer one counts"),
  "body.max-bytes": gap(z.int().min(least, bodySize).max(most, bodySize), "largest body that is read, bytes"),
  "body.too-large.status": gap(status, "status for a body that is too large"),
  "body.too-large.code": gap(code, "code for a body that is too large"),
  "body.timeout.status": gap(status, "status for a body that is too slow"),
  "body.timeout.code": gap(code, "code for a body that is too slow"),
  "validation.unknown-action": gap(code, "code for a missing or unknown action"),
  "validation.unknown-field": gap(code, "code for a field that the action does not have"),
  "validation.blank-text": gap(code, "code for a required text that is blank"),
  "absent-read": gap(z.enum(["null", "not_found"]), "a read of an absent flow: 200 with null, or not_found"),
  "status.not_found": gap(absentStatus, "status of not_found"),
  "status.persist_failed": gap(status, "status of persist_failed"),
  "status.cancel_requested": gap(status, "status of cancel_requested"),
  "status.not_managed": gap(status, "status of not_managed"),
  "terminal.code": gap(code, "code for a change of an ended flow"),
  "resume.code": gap(code, "code for a resume of a flow neither waiting nor blocked"),
  "validation.missing-field": gap(code, "code for a missing goal, runtime or task"),
  "validation.wrong-type": gap(code, "code for null, an unknown word or another type where the interface gives none"),
  "cancel.honours-revision": gap(flag, "cancel_flow takes an expectedRevision and refuses a stale one"),
  "cancel.ended-child": gap(flag, "a child that has ended does not hold a cancellation up"),
  "cancel.request-keeps-status": gap(flag, "request_cancel leaves the flow's status as it is"),
  "cancel.completes": gap(flag, "a pending cancellation completes by itself when the last child has ended"),
  "task.ended-code": gap(code, "code for run_task in an ended flow"),
  "task.foreign-child-code": gap(code, "code for a childSessionKey that belongs to another session"),
  "task.keeps-revision": gap(flag, "run_task leaves the flow's revision as it is"),
  "cancel.pending-code": gap(code, "code beside the 202 of a pending cancellation"),
  "cancel.status": gap(text, "status of a cancelled flow"),
  "flow.first-revision": gap(count, "revision of a new flow"),
  "flow.revision-step": gap(z.int().min(1), "what one applied change adds to the revision"),
  "flow.default-status": gap(text, "status of a flow created without one"),
  "flow.default-notify-policy": gap(text, "notifyPolicy of a flow created without one"),
  "flow.resumed-status": gap(text, "status after resume_flow without one"),
  "envelope.content-type": gap(text, "media type of every answer"),
} as const;

export type GapId = keyof typeof gaps;
export const gapIds = Object.keys(gaps) as readonly GapId[];
export type GapValue<Id extends GapId> = z.infer<(typeof gaps)[Id]["value"]>;

/** The name of a field that the interface does not show and that a target may give otherwise. */
const named = (usual: string, what: string, ...stated: string[]) =>
  fieldBeside("action", ...stated)
    .default(usual)
    .describe(what);
const waits = ["flowId", "expectedRevision"];

const optional = Object.fromEntries(Object.entries(gaps).map(([id, { value }]) => [id, value.optional()])) as {
  [Id in GapId]: z.ZodOptional<(typeof gaps)[Id]["value"]>;
};

/** The codes that have another status by section 7 than the refusal that a profile gives them to, and what is wrong there. */
export const misplacedCodes = (bound: Readonly<Record<string, unknown>>) =>
  gapIds.flatMap((gap) => {
    const status = gap === "auth.code" ? 401 : Number(bound[gap.replace(/\.code$/, ".status")] ?? Number.NaN);
    const stated = gap.endsWith(".code") ? statusOfCode.get(bound[gap]) : undefined;
    if (stated === undefined || Number.isNaN(status) || status === stated) return [];
    return [{ gap, reason: `${String(bound[gap])} has the status ${stated} (section 7), this refusal ${status}` }];
  });

export const profileSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).describe("What reports call the profile."),
  description: z.string().optional(),
  fields: z
    .strictObject({
      getFlowId: named("flowId", "id field of get_flow"),
      summaryFlowId: named("flowId", "id field of get_task_summary"),
      cancelFlowId: named("flowId", "id field of cancel_flow"),
      resolveToken: named("token", "token field of resolve_flow"),
      blockedSummary: named("blockedSummary", "field of set_waiting that makes a flow blocked", ...waits),
      waitData: named("waitJson", "field of set_waiting for wait data", ...waits),
      stateData: named("stateJson", "field of set_waiting for state", ...waits),
    })
    .prefault({}),
  gaps: z
    .strictObject(optional)
    .superRefine((bound, { addIssue }) => {
      for (const { gap, reason: message } of misplacedCodes(bound)) addIssue({ code: "custom", path: [gap], message });
    })
    .default({})
    .describe("Gap id and the value that the target is held to."),
});

export type Profile = z.infer<typeof profileSchema>;
export type FieldNames = Readonly<Profile["fields"]>;
