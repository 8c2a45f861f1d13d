/** Revisions numbered in another way, end to end: a caller has to send the number that it is shown. */
import type { ManagedFlowsFake } from "../../fakes/managed-flows.ts";
import { together, withFlowShown, withRequest } from "./changes.ts";
import type { Change, Numbering } from "./subject.ts";

/** A revision that no flow reaches. */
const NEVER = 2 ** 40;

const isRevision = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

export const renumbered = (numbering: Numbering): Change =>
  together(
    withFlowShown((flow) => ({ ...flow, revision: numbering.shown(flow.revision) })),
    withRequest((body) => {
      const { expectedRevision: sent } = body;
      if (!isRevision(sent)) return body;
      const revision = numbering.stored(sent);
      return { ...body, expectedRevision: isRevision(revision) ? revision : NEVER };
    }),
    { runtime: { numbering } },
  );

/** The same for the flows that the control port seeds. */
export function renumberedFake(flows: ManagedFlowsFake, { shown }: Numbering): ManagedFlowsFake {
  const seed: ManagedFlowsFake["seed"] = (wanted) => {
    const flow = flows.seed(wanted);
    return { ...flow, revision: shown(flow.revision) };
  };
  return { ...flows, seed };
}
