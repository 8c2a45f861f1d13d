/** Every answer is HTTP. */
import type { Case } from "../harness/case.ts";
import type { Watcher } from "../harness/watcher.ts";
import { tour } from "./tour.ts";

const broken = (expected: string, actual: string) => ({ expected, actual });

const watch = (): Watcher => ({
  surplus: () => broken("one whole answer of HTTP", "bytes behind an answer that nobody asked for"),
  exchange({ exchange: { answer, fault } }) {
    if (fault === "an answer that is not HTTP") return broken("one whole answer of HTTP", fault);
    const lengths = answer?.headers.get("content-length") ?? [];
    if (new Set(lengths).size > 1) return broken("one Content-Length", "several that differ");
    if (lengths.length > 0 && answer?.headers.has("transfer-encoding") === true) {
      return broken("Content-Length or Transfer-Encoding", "both");
    }
    return undefined;
  },
});

export const http: Case = {
  id: "ALWAYS-HTTP",
  title: "Every answer of the whole run is one whole answer of HTTP",
  clauses: ["ENVELOPE-OK"],
  reading:
    "RFC 9112, 6: a client finds the end of an answer by its length. An answer that is torn, or followed by bytes that " +
    "nobody asked for, is taken for the answer to the next request of the connection.",
  ...tour,
  watch,
};
