/** A stored story as a case: its requests are sent again, and must not show what they once showed. */
import { basename } from "node:path";
import { UsageError } from "../foundation/usage-error.ts";
import type { Case } from "../harness/case.ts";
import { NotApplicable, Unreached } from "../harness/case-errors.ts";
import { neutral } from "../http/exchange.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import type { ReplayFile } from "../story/replay-file.ts";
import { properties, propertyOf } from "./index.ts";
import { httpExecutors } from "../oracle/play/executor.ts";
import { replay } from "../oracle/play/replay.ts";
import { failureOfStory } from "../oracle/told.ts";

/** `name`: the file that it was read from. Throws `UsageError` where there is no such property. */
export function replayCase(file: ReplayFile, name: string): Case {
  const { property, clause, steps, expected, actual } = file;
  if (propertyOf(property) === undefined) {
    const meant = properties.map(({ id }) => id).join(", ");
    throw new UsageError(`${name}: property is "${neutral(property)}", expected one of: ${meant}`);
  }
  return {
    id: `REPLAY-${basename(name, ".json")
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, "-")}`,
    title: `The requests of ${name} are answered as the interface says`,
    clauses: [clause],
    alone: true,
    needs: ["addresses"],
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW,
    file: name,
    longestMs: steps.reduce((ms, step) => ms + (step.do === "pass" ? step.ms : 0), 0),
    reading: `Once seen by ${property}: expected ${expected}, got ${actual}.`,
    async run(trial) {
      if (!trial.toldApart) throw new NotApplicable("the target does not tell client addresses apart");
      const stage = { profile: trial.profile, executor: httpExecutors(trial) };
      const { broken, skipped } = await replay(steps, stage);
      if (broken !== undefined) throw failureOfStory(broken, { replay: file });
      if (skipped > 0) {
        throw new Unreached(`${skipped} of its ${steps.length} steps refer to values that the target did not return`);
      }
    },
  };
}
