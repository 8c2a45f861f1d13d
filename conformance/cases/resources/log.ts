/** Sections 1 and 5: what the target's log may not hold. No answer may, either: conformance/invariants/. */
import { change, runTask } from "../../interface/bodies.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check } from "../../harness/checks.ts";
import { readings, searchFor } from "../../harness/finder.ts";
import { absentId, mustBeGuarded, waitingFlow } from "../../harness/flows.ts";
import { metadataOf, misplacedSecrets, newChildKey, secretsOf } from "../../harness/leaks.ts";
import { provoke } from "../../harness/refusals.ts";

export const logCases: readonly Case[] = [
  {
    id: "LEAK-LOG",
    title: "The target's log contains no secret and no session key",
    clauses: ["NO-METADATA"],
    level: "should",
    needs: ["logs"],
    requests: 14,
    reading: "The interface speaks of responses; a log travels further than they do.",
    async run(trial) {
      await mustBeGuarded(trial, trial.route);
      const flow = await waitingFlow(trial);
      const childSessionKey = newChildKey();
      await trial.post(runTask(flow.flowId, { childSessionKey, status: "running" }));
      await trial.post(change("resume_flow", flow));
      for (const id of ["AUTH", "BAD-JSON"] as const) await provoke(trial, id);
      await trial.post(change("finish_flow", { ...flow, flowId: absentId(flow.flowId) }));
      for (const request of misplacedSecrets(trial, trial.route)) await trial.send(request);
      const lines = await trial.control.logs();
      if (lines.length === 0) throw new NotApplicable("the target's log is empty, so there is nothing to look at");
      const search = searchFor([...secretsOf(trial.server), ...metadataOf(trial.server)]);
      const [leak] = search(readings(lines.join("\n")));
      check(leak === undefined, "a log without it", leak?.name ?? "");
    },
  },
];
