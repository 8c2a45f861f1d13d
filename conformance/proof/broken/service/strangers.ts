/** Section 1: rare answers that show flows of other sessions. */
import type { BoundFlows, MutationResult, RevisionInput } from "../../../../plugin/ports.ts";
import { withFlows, withOutcome, perStart } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";
import { latestOfAll } from "./sessions.ts";

/** A change compares the revision before it checks which session owns the flow. */
const comparesFirst = perStart(() => {
  const bound = new Map<string, BoundFlows>();
  const ownerOf = async (flowId: string) => {
    for (const flows of bound.values()) {
      const flow = await flows.get(flowId);
      if (flow) return flow;
    }
    return undefined;
  };
  const compared =
    <Input extends RevisionInput>(change: (input: Input) => unknown) =>
    async (input: Input): Promise<MutationResult> => {
      const current = await ownerOf(input.flowId);
      const isStale = current !== undefined && current.revision !== input.expectedRevision;
      if (isStale) return { applied: false, code: "revision_conflict", current };
      return (await change(input)) as MutationResult;
    };
  return withFlows((flows) => {
    bound.set(flows.sessionKey, flows);
    return {
      setWaiting: compared(flows.setWaiting),
      resume: compared(flows.resume),
      finish: compared(flows.finish),
      fail: compared(flows.fail),
      requestCancel: compared(flows.requestCancel),
    };
  });
});

export const strangers: readonly Subject[] = subjectsOf<Subject>({
  "session-empty-latest-of-all": {
    bug: "find_latest_flow in a session without flows shows the latest of all sessions.",
    kills: ["SESSION-EMPTY-READS"],
    change: latestOfAll((flows, latest) => ({ findLatest: async () => (await flows.findLatest()) ?? latest() })),
  },
  "session-empty-null": {
    bug: "Where a session has no flow, the result of list_flows is null.",
    kills: ["SESSION-EMPTY-READS"],
    change: withOutcome("list_flows", (answer) => {
      const { flows } = answer.result as { flows?: unknown[] };
      return flows?.length === 0 ? { ...answer, result: null as unknown as object } : answer;
    }),
  },
  "session-foreign-conflict": {
    bug: "A stale change is answered with the current flow before it is asked whose flow that is.",
    kills: ["SESSION-FOREIGN-CHANGES"],
    change: comparesFirst,
  },
});
