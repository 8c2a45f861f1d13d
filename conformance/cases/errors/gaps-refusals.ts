/** Section 7: the statuses, codes and headers of refusals, which the interface leaves to a profile. */
import { change, smallest } from "../../interface/bodies.ts";
import { refusals } from "../../interface/broken-requests.ts";
import { withBody, withMethod } from "../../interface/request.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, setUp, mustTakeTwin } from "../../harness/checks.ts";
import { absentId, mustBeUnchanged, readBack } from "../../harness/flows.ts";
import { demands, provoke } from "../../harness/refusals.ts";
import { unmanaged } from "../../harness/unmanaged.ts";
import { rightTask } from "../../harness/tasks.ts";

/** Those whose status and code are the profile's. */
const open = ["METHOD", "CONTENT-TYPE", "RATE", "IN-FLIGHT", "TOO-LARGE", "TIMEOUT"] as const;

export const gapRefusalCases: readonly Case[] = [
  ...open.map((id): Case => {
    const { what, clause, gap } = refusals[id];
    return {
      id: `GAP-REFUSED-${id}`,
      title: `Status and code for ${what} are the profile's`,
      clauses: ["ERROR-STATUSES", clause],
      gaps: [`${gap}.status`, `${gap}.code`],
      requests: 12,
      ...demands[id],
      async run(trial) {
        setUp(await trial.send(trial.right()), "the valid request");
        const { [`${gap}.status` as const]: status, [`${gap}.code` as const]: code } = trial.profile.gaps;
        mustRefuse(await provoke(trial, id), { ...(status && { status }), ...(code && { code }) });
      },
    };
  }),
  {
    id: "GAP-METHOD-ALLOW",
    title: "The refusal of a method says which one is allowed",
    clauses: ["METHOD-POST"],
    gaps: ["method.allow"],
    requests: 2,
    reading: "RFC 9110, 15.5.6: an answer 405 has an Allow header.",
    async run(trial) {
      setUp(await trial.send(trial.right()), "the valid request");
      const exchange = await trial.send(withMethod(withBody(trial.right(), ""), "GET"));
      const [allow = "none"] = exchange.answer?.headers.get("allow") ?? [];
      check(allow === trial.gap("method.allow"), `Allow: ${trial.gap("method.allow")}`, "another or none", exchange);
    },
  },
  {
    id: "GAP-NOT-FOUND-STATUS",
    title: "not_found has the profile's status",
    clauses: ["ERROR-STATUSES"],
    gaps: ["status.not_found"],
    requests: 6,
    async run(trial) {
      const flow = await trial.flow();
      const absent = { ...flow, flowId: absentId(flow.flowId) };
      const as = { status: trial.gap("status.not_found"), code: "not_found" };
      const task = await rightTask(trial, absent.flowId);
      for (const body of [change("finish_flow", absent), task, smallest("cancel_flow", absent)]) {
        mustRefuse(await trial.post(body), as);
      }
      mustTakeTwin(await trial.post(change("finish_flow", flow)));
    },
  },
  {
    id: "GAP-NOT-MANAGED",
    title: "A flow that is not managed is neither changed nor cancelled nor given a task",
    clauses: ["ERROR-NOT-MANAGED"],
    gaps: ["status.not_managed"],
    needs: ["sessions"],
    requests: 18,
    async run(trial) {
      const { flow, bodies } = await unmanaged(trial);
      const before = await readBack(trial, flow.flowId);
      const as = { status: trial.gap("status.not_managed"), code: "not_managed" };
      for (const body of bodies) {
        const refused = mustRefuse(await trial.post(body), as);
        await mustBeUnchanged(trial, before, refused);
      }
      const stale = change("finish_flow", { ...flow, revision: flow.revision + 1 });
      const exchange = await trial.post(stale);
      check(!isAccepted(exchange), "a refusal", describe(exchange), exchange);
    },
  },
];
