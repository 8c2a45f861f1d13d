/** Judges what a hosted plugin leaves unchecked, as the kit's own gateway reports it, whichever case sent the request. */
import type { Case } from "../harness/case.ts";
import { NotApplicable } from "../harness/case-errors.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import { tour } from "./tour.ts";

/** The checks that the interface states; what else a runtime could check is open. */
const stated: Readonly<Record<string, { readonly clause: ClauseId; readonly expected: string }>> = {
  "resume_flow status": { clause: "STATE-RESUME-ONLY", expected: "resume_flow of a waiting or blocked flow only" },
  "run_task runtime": { clause: "RUN-TASK-RUNTIME", expected: "run_task with the runtime subagent or acp only" },
  "run_task running fields": {
    clause: "RUN-TASK-RUNNING-FIELDS",
    expected: "fields of a running task with the status running only",
  },
};

export const leftToRuntime: Case = {
  id: "NEVER-LEFT-TO-RUNTIME",
  title: "A hosted plugin leaves no stated check to its runtime",
  clauses: ["STATE-RESUME-ONLY", "RUN-TASK-RUNTIME", "RUN-TASK-RUNNING-FIELDS"],
  reading:
    "Judged where the kit's gateway hosts the plugin. Its runtime carries out what it is asked to, as observed gateways " +
    "do, and notes what the interface has refused. For a gateway whose runtime refuses it: run with --runtime checking.",
  requests: tour.requests,
  async run(trial) {
    if (trial.server.control?.runtime !== "bare")
      throw new NotApplicable("needs a plugin in the kit's gateway, with a runtime that does not check by itself");
    await tour.run(trial);
  },
  watch: () => ({
    unchecked({ action, check }) {
      const rule = stated[`${action} ${check}`];
      return (
        rule && {
          ...rule,
          actual: `a request that the plugin did not check (${check}), and that its runtime carried out`,
        }
      );
    },
  }),
};
