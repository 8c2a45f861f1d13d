/** Ways to let a session reach, or tell of, the flows of others. */
import type { BoundFlows, FlowRecord, MutationResult, RevisionInput } from "../../../../plugin/ports.ts";
import { perStart, withFlows } from "../../changes.ts";
import type { Change } from "../../subject.ts";

type Found = { readonly flow: FlowRecord; readonly owner: BoundFlows } | undefined;

/** Changes bound sessions that can look a flow up in all of them. */
const acrossSessions = (
  change: (flows: BoundFlows, find: (flowId: string) => Promise<Found>) => Partial<BoundFlows>,
): Change =>
  perStart(() => {
    const bound = new Map<string, BoundFlows>();
    const find = async (flowId: string): Promise<Found> => {
      for (const owner of bound.values()) {
        const flow = await owner.get(flowId);
        if (flow) return { flow, owner };
      }
      return undefined;
    };
    return withFlows((flows) => {
      bound.set(flows.sessionKey, flows);
      return change(flows, find);
    });
  });

const isForeign = (found: Found, { sessionKey }: BoundFlows): found is NonNullable<Found> =>
  found !== undefined && found.owner.sessionKey !== sessionKey;

/** These calls reach flows of other sessions, where they are like this. */
export const reaches = (
  calls: readonly (
    | "get"
    | "resolve"
    | "getTaskSummary"
    | "setWaiting"
    | "resume"
    | "finish"
    | "fail"
    | "requestCancel"
    | "cancel"
    | "runTask"
  )[],
  when: (flow: FlowRecord) => boolean = () => true,
): Change =>
  acrossSessions((flows, find) =>
    Object.fromEntries(
      calls.map((call) => [
        call,
        async (input: string | { flowId: string }) => {
          const found = await find(typeof input === "string" ? input : input.flowId);
          const at = isForeign(found, flows) && when(found.flow) ? found.owner : flows;
          return (at[call] as (input: unknown) => unknown)(input);
        },
      ]),
    ),
  );

/** A change is refused with this code where it is for another session's flow and `when` holds; the result may show the flow. */
export const refusedAs = (
  code: string,
  when: (flow: FlowRecord, input: RevisionInput) => boolean,
  { shows }: { shows: boolean } = { shows: false },
): Change =>
  acrossSessions((flows, find) => {
    const told =
      <Input extends RevisionInput>(change: (input: Input) => unknown) =>
      async (input: Input): Promise<MutationResult> => {
        const found = await find(input.flowId);
        if (isForeign(found, flows) && when(found.flow, input))
          return { applied: false, code, ...(shows && { current: found.flow }) };
        return (await change(input)) as MutationResult;
      };
    return {
      setWaiting: told(flows.setWaiting),
      resume: told(flows.resume),
      finish: told(flows.finish),
      fail: told(flows.fail),
      requestCancel: told(flows.requestCancel),
    };
  });
