/** No answer of the run holds a session key, owner metadata or a description. */
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Case } from "../harness/case.ts";
import { leakSeen, placeOf, readings, searchFor, textsOf, type Finder } from "../harness/finder.ts";
import { CHILD_KEY, metadataOf } from "../harness/leaks.ts";
import type { Watcher } from "../harness/watcher.ts";
import { operatorNote } from "../targets/standard-routes.ts";
import { perInstance } from "../targets/per-instance.ts";
import { tour } from "./tour.ts";

const DESCRIPTION = "a route's description";
const EXPECTED = "an answer without session keys, owner metadata and descriptions";
const clauseOf: Readonly<Record<string, ClauseId>> = { [CHILD_KEY]: "TASK-VIEW", [DESCRIPTION]: "CONFIG-DESCRIPTION" };

function watch(): Watcher {
  const keptBy = perInstance((instance) =>
    searchFor([...metadataOf(instance), { name: DESCRIPTION, value: operatorNote }]),
  );
  return {
    exchange({ instance, exchange }) {
      if (exchange.answer === undefined) return undefined;
      const search = keptBy(instance);
      const name = search(textsOf(exchange.answer))?.name;
      if (name === undefined) return undefined;
      const finds: Finder = (text) => search(text)?.name === name;
      const clause = clauseOf[name] ?? "NO-METADATA";
      const seen = leakSeen(name, exchange, finds);
      return { expected: EXPECTED, actual: `${name} at ${placeOf(exchange, finds)}`, clause, seen };
    },
    bytes(instance, text) {
      const name = keptBy(instance)(readings(text))?.name;
      return name === undefined ? undefined : { expected: EXPECTED, actual: `${name} in the bytes of an answer` };
    },
  };
}

export const metadata: Case = {
  id: "NEVER-METADATA",
  title:
    "No answer of the whole run holds a session key, a child's session key, owner metadata or a description, in any form",
  clauses: ["NO-METADATA", "TASK-VIEW", "CONFIG-DESCRIPTION"],
  reading:
    "Looked for in status lines, headers and bodies: as they are, in other cases, escaped, in hex and base64, reversed " +
    "and as digests. A child's session key is session metadata, and a route's description is a note to the operator. A caller that sends a key gets it back in no answer.",
  ...tour,
  watch,
};
