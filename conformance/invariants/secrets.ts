/** No answer of the run holds a secret. */
import type { Case } from "../harness/case.ts";
import { finderOf, placeOf, readings, textsOf } from "../harness/finder.ts";
import type { Watcher } from "../harness/watcher.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Instance } from "../targets/instance.ts";
import { perInstance } from "./per-instance.ts";
import { tour } from "./tour.ts";

/** A shorter end could be that of a random id. */
const END = 12;

/** Finds both ends of every secret; a secret that somebody else made is looked for as a whole. */
function finderIn({ configuration: { marks, routes } }: Instance) {
  const others = [...routes.values()].map(({ secret }) => secret).filter((secret) => !secret.includes(marks.secret));
  const begin = `whsec-${marks.secret.slice(0, 8)}`;
  return finderOf(begin, marks.secret.slice(-END), ...others.filter(({ length }) => length >= END));
}

/** Whether the caller sent a secret, right or wrong: also where it does not belong. */
function carries({ request }: Exchange, finds: (text: string) => boolean): boolean {
  const lines = request.headers.map(([name, value]) => `${name}: ${value}`);
  return finds([request.path, ...lines, Buffer.from(request.body).toString("latin1")].join("\n"));
}

/** `also`: in answers to callers that sent a secret themselves. */
function watch(also: boolean): Watcher {
  const finder = perInstance(finderIn);
  const expected = also ? "an answer without a secret" : "no secret for a caller that did not send one";
  return {
    exchange({ instance, exchange }) {
      const finds = finder(instance);
      if (exchange.answer === undefined || !finds(textsOf(exchange.answer))) return undefined;
      if (carries(exchange, finds) !== also) return undefined;
      return { expected, actual: `a secret at ${placeOf(exchange, finds)}` };
    },
    bytes(instance, text) {
      if (!also || !finder(instance)(readings(text))) return undefined;
      return { expected, actual: "a secret in the bytes of an answer" };
    },
  };
}

export const secrets: readonly Case[] = [
  {
    id: "NEVER-SECRET",
    title: "No answer of the whole run gives a secret to a caller that did not send one",
    clauses: ["AUTH-REQUIRED", "NO-METADATA"],
    level: "must",
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
