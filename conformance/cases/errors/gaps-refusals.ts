/** Section 7: the statuses, codes and headers of refusals, which the interface leaves to a profile. */
import { refusals } from "../../../fixtures/broken-requests.ts";
import { withBody, withMethod } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, setUp } from "../../harness/checks.ts";
import { demands, provoke } from "../../harness/refusals.ts";

/** Those whose status and code are the profile's. */
const open = ["METHOD", "CONTENT-TYPE", "RATE", "IN-FLIGHT", "TOO-LARGE", "TIMEOUT"] as const;

export const gapRefusalCases: readonly Case[] = [
  ...open.map((id): Case => {
    const { what, clause, gap } = refusals[id];
    return {
      id: `GAP-REFUSED-${id}`,
      title: `Status and code for ${what} are the profile's`,
      clauses: ["ERROR-STATUSES", clause],
      level: "gap",
      gaps: [`${gap}.status`, `${gap}.code`],
      requests: 12,
      ...demands[id],
      async run(trial) {
        setUp(await trial.send(trial.right()), "the right request");
        const { [`${gap}.status` as const]: status, [`${gap}.code` as const]: code } = trial.profile.gaps;
        mustRefuse(await provoke(trial, id), { ...(status && { status }), ...(code && { code }) });
      },
    };
  }),
  {
    id: "GAP-METHOD-ALLOW",
    title: "The refusal of a method says which one is allowed",
    clauses: ["METHOD-POST"],
    level: "gap",
    gaps: ["method.allow"],
    requests: 2,
    reading: "RFC 9110, 15.5.6: an answer 405 has an Allow header.",
    async run(trial) {
      setUp(await trial.send(trial.right()), "the right request");
      const exchange = await trial.send(withMethod(withBody(trial.right(), ""), "GET"));
      const [allow = "none"] = exchange.answer?.headers.get("allow") ?? [];
      check(allow === trial.gap("method.allow"), `Allow: ${trial.gap("method.allow")}`, "another or none", exchange);
    },
  },
];
