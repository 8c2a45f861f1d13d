/** Section 7: the statuses, codes and headers of refusals, which the interface leaves to a profile. */
import { change, smallest } from "../../interface/bodies.ts";
import { refusals, type RefusalId } from "../../interface/broken-requests.ts";
import { withoutSecret } from "../../interface/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, setUp, mustTakeTwin } from "../../harness/checks.ts";
import { absentId, mustBeUnchanged, readBack } from "../../harness/flows.ts";
import { header, openValues, refusedCode, refusedStatus } from "../../harness/open-values.ts";
import { demands, provoke } from "../../harness/refusals.ts";
import { unmanaged } from "../../harness/unmanaged.ts";
import { rightTask } from "../../harness/tasks.ts";

type Reads = Parameters<typeof openValues>[0]["reads"];

const statusAndCode = (gap: string): Reads => ({
  [`${gap}.status`]: refusedStatus(),
  [`${gap}.code`]: refusedCode,
});

/** What is the profile's of each refusal before the action. */
const open: Readonly<Partial<Record<RefusalId, Reads>>> = {
  METHOD: { ...statusAndCode("method"), "method.allow": header("allow") },
  "CONTENT-TYPE": statusAndCode("content-type"),
  RATE: {
    ...statusAndCode("rate"),
    // Whole seconds, no more than a window has.
    "rate.retry-after": ({ answer }) => /^(?:[1-9]|[1-5]\d|60)$/.test(answer?.headers.get("retry-after")?.join() ?? ""),
  },
  "IN-FLIGHT": statusAndCode("in-flight"),
  AUTH: { "auth.code": refusedCode, "auth.challenge": header("www-authenticate") },
  "TOO-LARGE": statusAndCode("body.too-large"),
  TIMEOUT: statusAndCode("body.timeout"),
};

export const gapRefusalCases: readonly Case[] = [
  ...(Object.entries(open) as [RefusalId, Reads][]).map(([id, reads]) =>
    openValues({
      id: `GAP-REFUSED-${id}`,
      title: `With ${refusals[id].what} the answer has the profile's status, code and headers`,
      clauses: [id === "AUTH" ? "AUTH-CODE" : "ERROR-STATUSES", refusals[id].clause as ClauseId],
      reads,
      requests: 12,
      ...demands[id],
      async *shown(trial) {
        const right = trial.right();
        setUp(await trial.send(right), "the valid request");
        yield await provoke(trial, id);
        if (id === "AUTH") yield await trial.send(withoutSecret(right));
      },
    }),
  ),
  openValues({
    id: "GAP-NOT-FOUND-STATUS",
    title: "not_found has the profile's status",
    clauses: ["ERROR-STATUSES"],
    reads: { "status.not_found": refusedStatus("not_found") },
    requests: 6,
    async *shown(trial) {
      const flow = await trial.flow();
      const absent = { ...flow, flowId: absentId(flow.flowId) };
      mustTakeTwin(await trial.post(change("set_waiting", flow)));
      const bodies = [change("finish_flow", absent), await rightTask(trial, absent.flowId)];
      for (const body of [...bodies, smallest("cancel_flow", absent)]) yield await trial.post(body);
    },
  }),
  openValues({
    id: "GAP-NOT-MANAGED",
    title: "A flow that is not managed is not changed, cancelled or given a task",
    clauses: ["ERROR-NOT-MANAGED"],
    reads: { "status.not_managed": refusedStatus("not_managed") },
    needs: ["sessions"],
    requests: 18,
    async *shown(trial) {
      const { flow, bodies } = await unmanaged(trial);
      const before = await readBack(trial, flow.flowId);
      for (const body of bodies) {
        const exchange = await trial.post(body);
        await mustBeUnchanged(trial, before, exchange);
        yield exchange;
      }
      const stale = await trial.post(change("finish_flow", { ...flow, revision: flow.revision + 1 }));
      check(!isAccepted(stale), "a refusal", describe(stale), stale);
    },
  }),
];
