import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import type { SendStep } from "../story/story.ts";

export const createStep: SendStep = {
  do: "send",
  route: "route",
  as: "f1",
  body: { action: "create_flow", goal: "g" },
};

/** A replay file of a revision that was forgiven. */
export const replayOf = (more: Partial<ReplayFile> = {}): ReplayFile => ({
  format: REPLAY_FORMAT,
  property: "PROPERTY-REVISIONS",
  clause: "REVISION-STALE",
  expected: "a conflict",
  actual: "200 ok:true",
  seed: 1,
  run: 0,
  profile: "spec",
  target: "a gateway",
  steps: [createStep],
  ...more,
});
