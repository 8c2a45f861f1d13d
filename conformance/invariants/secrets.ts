/** No answer of the run holds a secret. */
import type { Case } from "../harness/case.ts";
import { finderOf, leakSeen, placeOf, readings, textsOf, type Finder } from "../harness/finder.ts";
import type { Watcher } from "../harness/watcher.ts";
import type { Answer, Exchange } from "../http/exchange.ts";
import { perInstance } from "../targets/per-instance.ts";
import { tour } from "./tour.ts";

/** A shorter end could be that of a random id. */
const END = 12;

/** Both invariants look at each answer: what they find is looked for once. */
interface Search {
  readonly finds: Finder;
  readonly known: WeakMap<Answer, boolean>;
}

/** Finds both ends of every secret; a secret that somebody else made is looked for as a whole. */
const searchIn = perInstance(({ configuration: { marks, routes } }): Search => {
  const others = [...routes.values()].map(({ secret }) => secret).filter((secret) => !secret.includes(marks.secret));
  const begin = `whsec-${marks.secret.slice(0, 8)}`;
  const whole = others.filter(({ length }) => length >= END);
  return { finds: finderOf(begin, marks.secret.slice(-END), ...whole), known: new WeakMap() };
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
