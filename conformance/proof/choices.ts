/**
 * Choices that the interface leaves open and the reference profile makes in another way. Each is a lawful subject for
 * profile `spec`, and with the reference profile a broken one, which the case of its gap has to see.
 */
import { reject } from "../../plugin/answer.ts";
import { changeActions } from "../interface/flow-model.ts";
import {
  pretends,
  recoded,
  withCall,
  withCreation,
  withEnvelope,
  withReply,
  withOutcome,
  withRefusals,
  withRequest,
  withStatuses,
  withFlowShown,
  alsoParses,
} from "./changes.ts";
import { ownOf, presents } from "./lets-in.ts";
import { WINDOW_MS } from "../interface/limits.ts";
import { byClock, refusesBeyond } from "./limit-books.ts";
import { renumbered, touch } from "./runtime.ts";
import { failing, type Change, type Different, type Subject } from "./subject.ts";

/** A status is shown under another name. */
export const shownAs = (status: string, shown: string): Change =>
  withFlowShown((flow) => (flow.status === status ? { ...flow, status: shown } : flow));

const createdWith = (defaults: { status: string } | { notifyPolicy: string }): Change =>
  withCreation((input) => ({ ...defaults, ...input }));

const choices = failing({
  "GAP-UNKNOWN-ACTION: An unknown action has the code request_rejected": withRefusals(
    (refusal, { body, context }, stage) => {
      const { action } = body ?? {};
      const unknown = typeof action === "string" && !context.parts.actions.some(({ name }) => name === action);
      return stage === "action" && unknown ? reject("request_rejected") : refusal;
    },
  ),
  "GAP-UNKNOWN-FIELD: A field that an action does not have is ignored": withRequest((body, { parts }) => {
    const action = parts.actions.find(({ name }) => name === body["action"]);
    const known = ["action", ...Object.keys(action?.schema.shape ?? {})];
    return Object.fromEntries(Object.entries(body).filter(([field]) => known.includes(field)));
  }),
  "GAP-RESUMED-STATUS: A resumed flow is active": withCall("resume", (input, flows) =>
    flows.resume({ ...input, status: "active" }),
  ),
  "CANCEL-REQUEST-KEEPS-STATUS: request_cancel makes the status cancelling": withFlowShown((flow) => {
    const isAsked = flow.cancelRequestedAt !== undefined && ["queued", "waiting"].includes(flow.status);
    return isAsked ? { ...flow, status: "cancelling" } : flow;
  }),
  "GAP-CREATED: A flow created without a status is running": createdWith({ status: "running" }),
  "GAP-CREATED: A flow created without a notifyPolicy is silent": createdWith({ notifyPolicy: "silent" }),
  "GAP-CREATED: A new flow has the revision 1": renumbered({
    shown: (revision) => revision + 1,
    stored: (revision) => revision - 1,
  }),
  "GAP-REVISION-STEP: Each change adds 2 to the revision": renumbered({
    shown: (revision) => 2 * revision,
    stored: (revision) => revision / 2,
  }),
  "GAP-RESUME-CODE: A resume of a flow that does not wait has the code request_rejected": recoded(
    "resume_flow",
    "mutation_rejected",
    "request_rejected",
  ),
  "GAP-ENDED: A change of an ended flow has the code request_rejected": recoded(
    changeActions,
    "terminal",
    "request_rejected",
  ),
  "GAP-ENDED: cancel_flow of an ended flow is accepted": pretends("cancel_flow", "terminal"),
  "GAP-NOT-FOUND-STATUS: The status for an absent flow is 200, with ok false": withStatuses({ not_found: 200 }),
  "CANCEL-STATUS: A cancelled flow is called canceled": shownAs("cancelled", "canceled"),
  "RUN-TASK-KEEPS-REVISION: run_task advances the revision of a queued flow": withCall(
    "runTask",
    async (input, flows) => {
      const result = await flows.runTask(input);
      const isQueued = result.created && result.flow.status === "queued";
      return isQueued ? { ...result, flow: await touch(flows, result.flow) } : result;
    },
  ),
  "RUN-TASK-FOREIGN-CHILD: run_task takes the session key of another session for a child's": withCall(
    "runTask",
    async (input, flows) => {
      const result = await flows.runTask(input);
      return !result.created && input.childSessionKey ? flows.runTask({ ...input, childSessionKey: null }) : result;
    },
  ),
  "GAP-ABSENT-READ: A read that finds no flow is refused with not_found, find_latest_flow in an empty session, too":
    withOutcome(["get_flow", "resolve_flow", "get_task_summary", "find_latest_flow"], (answer) =>
      answer.ok && Object.values(answer.result).includes(null) ? reject("not_found") : answer,
    ),
  "GAP-REFUSED-METHOD, GAP-REFUSED-AUTH: No Allow, no Retry-After, no WWW-Authenticate, no charset, the names of headers in lower case":
    withReply(
      ({ headers: { Allow: _allow, "Retry-After": _wait, "WWW-Authenticate": _challenge, ...headers }, ...reply }) => {
        const bare = Object.entries({ ...headers, "Content-Type": "application/json" });
        return { ...reply, headers: Object.fromEntries(bare.map(([name, value]) => [name.toLowerCase(), value])) };
      },
    ),
  "RATE-WINDOW-OPENED: Windows of all keys end with the minute": byClock(WINDOW_MS),
  "LIMITS-4096-KEYS: With 4,096 keys the rate limit refuses all requests": refusesBeyond(4096),
  "AUTH-BEARER-WINS: Of two secrets that disagree the product header's one counts": presents(
    (headers, right) => ownOf(headers) ?? right(headers),
  ),
});

/** Choices against a `should`: these cases may warn with profile `spec`, too. */
const discouraged = failing({
  "AUTH-SAME-ANSWER: The code of a 401: another one where there is no secret at all": withEnvelope(
    (envelope, status, { headers }) =>
      status === 401 && headers.authorization === undefined ? { ...envelope, code: "missing_credentials" } : envelope,
  ),
  "AUTH-SCHEME-CASE: The scheme's name is compared letter by letter": presents(
    (headers) => /^Bearer\s+(.+)$/.exec(headers.authorization ?? "")?.[1] ?? ownOf(headers),
  ),
  "BODY-INVALID-UTF-8: Bytes that are not UTF-8 are replaced and the body is read all the same": alsoParses((text) =>
    text.includes("\ufffd") ? JSON.parse(text) : undefined,
  ),
});

export const chosenOtherwise: readonly Subject[] = [...choices, ...discouraged];

const lawfully = ({ id, bug, change }: Subject): Different => ({ id: `different-${id}`, freedom: bug, change });

export const freeChoices: readonly Different[] = [
  ...choices.map(lawfully),
  ...discouraged.map((subject) => ({ ...lawfully(subject), warns: subject.kills })),
];
