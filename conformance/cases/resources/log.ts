/** Sections 1 and 5: what the target's log may not hold. No answer may, either: conformance/invariants/. */
import { randomUUID } from "node:crypto";
import { change, createFlow, runTask } from "../../interface/bodies.ts";
import { withHeader, withoutHeader, withPath } from "../../interface/request.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check } from "../../harness/checks.ts";
import { readings, searchFor } from "../../harness/finder.ts";
import { absentId, mustBeGuarded, waitingFlow } from "../../harness/flows.ts";
import { metadataOfRoutes, secretsOfRoutes } from "../../harness/leaks.ts";
import { provoke } from "../../harness/refusals.ts";

export const logCases: readonly Case[] = [
  {
    id: "LEAK-LOG",
    title: "The target's log holds no secret and no session key",
    clauses: ["NO-METADATA"],
    level: "should",
    needs: ["logs"],
    requests: 14,
    reading: "The interface speaks of responses; a log travels further than they do.",
    async run(trial) {
      const { route } = trial;
      await mustBeGuarded(trial, route);
      const flow = await waitingFlow(trial);
      const childSessionKey = `child-canary-${randomUUID()}`;
      await trial.post(runTask(flow.flowId, { childSessionKey, status: "running" }));
      await trial.post(change("resume_flow", flow));
      for (const id of ["AUTH", "BAD-JSON"] as const) await provoke(trial, id);
      await trial.post(change("finish_flow", { ...flow, flowId: absentId(flow.flowId) }));
      // The secret in the wrong place.
      const right = trial.right();
      await trial.send(withHeader(right, "authorization", `Token ${route.secret}`));
      await trial.send(withPath(withoutHeader(right, "authorization"), `${route.path}?secret=${route.secret}`));
      await trial.post({ action: route.secret });
      await trial.post({ ...createFlow(), [route.secret]: 1 });
      const lines = await trial.control.logs();
      if (lines.length === 0) throw new NotApplicable("the target's log is empty, so there is nothing to look at");
      const routes = [route, trial.sibling, trial.stranger];
      const child = { name: "a child's session key", value: childSessionKey };
      const cold = secretsOfRoutes(trial.special("cold"));
      const canaries = [...secretsOfRoutes(...routes), ...cold, ...metadataOfRoutes(trial, ...routes), child];
      const leak = searchFor(canaries)(readings(lines.join("\n")));
      check(leak === undefined, "a log without it", leak?.name ?? "");
    },
  },
];
