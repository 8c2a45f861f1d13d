/** The target does not end before it is asked to. */
import type { Case } from "../harness/case.ts";
import type { Watcher } from "../harness/watcher.ts";
import { tour } from "./tour.ts";

const watch = (): Watcher => ({
  gone: (how) => ({ expected: "a target that goes on answering", actual: how }),
});

export const staysUp: Case = {
  id: "ALWAYS-UP",
  title: "The target neither ends nor stops listening during the whole run",
  clauses: ["SERVICE-ROUTE"],
  reading:
    "Whatever is sent, also where the request that ended the target was answered rightly. The last requests are shown.",
  ...tour,
  watch,
};
