/** No answer of the run holds a secret. */
import type { Case } from "../harness/case.ts";
import { leakSeen, placeOf, readings, searchFor, textsOf, type Finder } from "../harness/finder.ts";
import { secretsOf } from "../harness/leaks.ts";
import type { Watcher } from "../harness/watcher.ts";
import type { Answer, Exchange } from "../http/exchange.ts";
import { perInstance } from "../targets/per-instance.ts";
import { tour } from "./tour.ts";

/** Both invariants look at each answer: what they find is looked for once. */
interface Search {
  readonly finds: Finder;
  readonly known: WeakMap<Answer, boolean>;
}

const searchIn = perInstance((instance): Search => {
  const search = searchFor(secretsOf(instance));
  return { finds: (text) => search(text) !== undefined, known: new WeakMap() };
});

function holdsSecret(answer: Answer, { finds, known }: Search): boolean {
  const held = known.get(answer) ?? finds(textsOf(answer));
  known.set(answer, held);
  return held;
}

/** Whether the caller sent a secret, right or wrong: also where it does not belong. */
function carries({ request }: Exchange, finds: (text: string) => boolean): boolean {
  const lines = request.headers.map(([name, value]) => `${name}: ${value}`);
  return finds([request.path, ...lines, Buffer.from(request.body).toString("latin1")].join("\n"));
}

/** `also`: in answers to callers that sent a secret themselves. */
function watch(also: boolean): Watcher {
  const expected = also ? "an answer without a secret" : "no secret for a caller that did not send one";
  return {
    exchange({ instance, exchange }) {
      const search = searchIn(instance);
      const { finds } = search;
      if (exchange.answer === undefined || !holdsSecret(exchange.answer, search)) return undefined;
      if (carries(exchange, finds) !== also) return undefined;
      const seen = leakSeen("a secret", exchange, finds);
      return { expected, actual: `a secret at ${placeOf(exchange, finds)}`, seen };
    },
    bytes(instance, text) {
      if (!also || !searchIn(instance).finds(readings(text))) return undefined;
      return { expected, actual: "a secret in the bytes of an answer" };
    },
  };
}

export const secrets: readonly Case[] = [
  {
    id: "NEVER-SECRET",
    title: "No answer of the whole run gives a secret to a caller that did not send one",
    clauses: ["AUTH-REQUIRED", "NO-METADATA"],
    reading: "An answer that hands the secret out, whole or its first or last characters, lets everybody in.",
    ...tour,
    watch: () => watch(false),
  },
  {
    id: "NEVER-SECRET-REPEATED",
    title: "No answer of the whole run repeats a secret",
    clauses: ["NO-METADATA"],
    level: "should",
    reading: "Answers are logged and shown by callers. The interface says so of session metadata alone.",
    ...tour,
    watch: () => watch(true),
  },
];
