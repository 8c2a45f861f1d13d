/** Section 7 gives two codes their status: an answer that has the code has the status, whatever it is about. */
import type { Case } from "../harness/case.ts";
import type { Watcher } from "../harness/watcher.ts";
import { describe, envelopeOf } from "../http/exchange.ts";
import { tour } from "./tour.ts";

const statusOf: Readonly<Record<string, number>> = { invalid_request: 400, revision_conflict: 409 };

const watch = (): Watcher => ({
  exchange({ exchange }) {
    const { ok, code } = envelopeOf(exchange) ?? {};
    const status = ok === false && typeof code === "string" ? statusOf[code] : undefined;
    if (status === undefined || exchange.answer?.status === status) return undefined;
    return { expected: `${status} with the code ${String(code)}`, actual: describe(exchange) };
  },
});

export const statedStatuses: Case = {
  id: "ALWAYS-STATED-STATUS",
  title: "Every answer of the whole run with invalid_request has 400, and every one with revision_conflict 409",
  clauses: ["ERROR-INVALID", "REVISION-STALE"],
  reading:
    "Section 7 states both. Which refusals have one of these codes is open for most; the status that goes with it is not.",
  ...tour,
  watch,
};
