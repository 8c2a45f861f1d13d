/** No answer of the run holds a session key or owner metadata. */
import type { Case } from "../harness/case.ts";
import { digestFinder, finderOf, leakSeen, placeOf, readings, textsOf, type Finder } from "../harness/finder.ts";
import type { Watcher } from "../harness/watcher.ts";
import type { Instance } from "../targets/instance.ts";
import { perInstance } from "./per-instance.ts";
import { tour } from "./tour.ts";

/** What every child's session key begins with that the kit makes up. */
const CHILD_MARK = "child-canary-";

const CHILD_KEY = "a child's session key";
const EXPECTED = "an answer without session keys and owner metadata";

/** What an instance has to keep to itself. */
function kept({ configuration, control }: Instance): readonly [name: string, finder: Finder][] {
  const keys = [...configuration.routes.values()].map(({ sessionKey }) => sessionKey);
  return [
    ["a session key", finderOf(configuration.marks.sessionKey)],
    ["a digest of a session key", digestFinder(...keys)],
    [CHILD_KEY, finderOf(CHILD_MARK)],
    ["owner or requester metadata", finderOf(...(control?.canaries ?? []))],
  ];
}

function watch(): Watcher {
  const keptBy = perInstance(kept);
  const leakIn = (instance: Instance, text: string) => keptBy(instance).find(([, finds]) => finds(text));
  return {
    exchange({ instance, exchange }) {
      if (exchange.answer === undefined) return undefined;
      const [name, finds] = leakIn(instance, textsOf(exchange.answer)) ?? [];
      if (name === undefined || finds === undefined) return undefined;
      const clause = name === CHILD_KEY ? "TASK-VIEW" : "NO-METADATA";
      const seen = leakSeen(name, exchange, finds);
      return { expected: EXPECTED, actual: `${name} at ${placeOf(exchange, finds)}`, clause, seen };
    },
    bytes(instance, text) {
      const [name] = leakIn(instance, readings(text)) ?? [];
      return name === undefined ? undefined : { expected: EXPECTED, actual: `${name} in the bytes of an answer` };
    },
  };
}

export const metadata: Case = {
  id: "NEVER-METADATA",
  title: "No answer of the whole run holds a session key, a child's session key or owner metadata, in any form",
  clauses: ["NO-METADATA", "TASK-VIEW"],
  reading:
    "Looked for in status lines, headers and bodies: as they are, in other cases, escaped, in hex and base64, reversed " +
    "and as digests. A child's session key is session metadata. A caller that sends a key gets it back in no answer.",
  ...tour,
  watch,
};
