/** Sections 1 and 3: flows of other sessions that are reached, or told of, in some state or in any. */
import { isTerminal } from "../../../../fakes/flow-store.ts";
import { revisionActions } from "../../../interface/fields.ts";
import { reject, type Answer } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { BoundFlows, FlowRecord } from "../../../../plugin/ports.ts";
import { perStart, together, withAction, withFlows, type Run } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

type When = (flow: FlowRecord, fields: Run["fields"]) => boolean;

/** Some actions do something else where they name a flow of another session that is like this. */
const elsewhere = (
  actions: readonly string[],
  when: When,
  instead: (run: Run, flow: FlowRecord, owner: BoundFlows) => Answer | Promise<Answer>,
): Change =>
  perStart(() => {
    const bound = new Map<string, BoundFlows>();
    return together(
      withFlows((flows) => {
        bound.set(flows.sessionKey, flows);
        return {};
      }),
      withAction(actions, async (run) => {
        const { fields, context, right } = run;
        for (const owner of bound.values()) {
          if (owner.sessionKey === context.flows.sessionKey) continue;
          const flow = await owner.get(String(fields["flowId"] ?? fields["token"]));
          if (flow && when(flow, fields)) return instead(run, flow, owner);
        }
        return right();
      }),
    );
  });

const isStale: When = ({ revision }, { expectedRevision }) => revision !== expectedRevision;

/** An action reaches flows of other sessions, where they are like this. */
const reaching = ([action, when = () => true]: readonly [action: string, when?: When]): Change =>
  elsewhere([action], when, ({ fields, context, right }, _flow, flows) => right(fields, { ...context, flows }));

/** What a change of such a flow of another session is refused with, where it tells more than not_found. */
const tells = ([code, when, isShown = false]: readonly [code: Code, when: When, isShown?: boolean]): Change =>
  elsewhere(revisionActions, when, ({ context }, flow) => {
    const current = isShown && { current: context.parts.views.flow(flow) };
    return reject(code, { result: { applied: false, ...current } });
  });

export const foreign: readonly Subject[] = [
  ...revisionActions.flatMap((action) =>
    failing("SESSION-FOREIGN-CHANGES", reaching, { [`${action} reaches flows of other sessions`]: [action] }),
  ),
  ...["get_flow", "resolve_flow", "get_task_summary"].flatMap((action) =>
    failing("SESSION-FOREIGN-READS", reaching, { [`${action} reaches flows of other sessions`]: [action] }),
  ),
  ...failing("SESSION-FOREIGN-TASKS", reaching, {
    "cancel_flow finds flows that have ended in any session": ["cancel_flow", isTerminal],
    "A flow whose cancellation was requested may be cancelled from any session": [
      "cancel_flow",
      ({ cancelRequestedAt }) => cancelRequestedAt !== undefined,
    ],
    "A blocked flow takes a task from any session, which may unblock it": [
      "run_task",
      ({ status }) => status === "blocked",
    ],
  }),
  ...failing("SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION", tells, {
    "A stale change of another session's flow is a conflict, with an empty result": ["revision_conflict", isStale],
    "A change of another session's flow that has ended says so": ["terminal", isTerminal],
  }),
  ...failing("SESSION-FOREIGN-CHANGES", tells, {
    "A stale change of another session's flow is answered with the current flow": ["revision_conflict", isStale, true],
  }),
];
