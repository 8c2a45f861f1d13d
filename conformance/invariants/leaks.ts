/** No answer of the run holds a secret, a session key, owner metadata or a description. */
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Case } from "../harness/case.ts";
import { leakSeen, placeOf, readings, type Canary, type Finder } from "../harness/finder.ts";
import { CHILD_KEY, DESCRIPTION, keptBy, SECRET } from "../harness/leaks.ts";
import type { Exchange } from "../http/exchange.ts";
import { tour } from "./tour.ts";

const clauses: Readonly<Record<string, ClauseId>> = { [CHILD_KEY]: "TASK-VIEW", [DESCRIPTION]: "CONFIG-DESCRIPTION" };
const isSecret = ({ name }: Canary): boolean => name === SECRET;

/** Whether the caller sent such a value, right or wrong: also where it does not belong. */
function carries({ request }: Exchange, finds: Finder): boolean {
  const lines = request.headers.map(([name, value]) => `${name}: ${value}`);
  return finds([request.path, ...lines, Buffer.from(request.body).toString("latin1")].join("\n"));
}

interface Leak extends Pick<Case, "id" | "title" | "clauses" | "level" | "reading"> {
  readonly isSought: (canary: Canary) => boolean;
  readonly expected: string;
  /** The clause that forbids to show a value, where the values come under several clauses. */
  readonly clauseOf?: (name: string) => ClauseId;
  /** Judges answers to callers that sent such a value themselves, or to those that did not; to all where it is absent. */
  readonly toSenders?: boolean;
}

const leaks: readonly Leak[] = [
  {
    id: "NEVER-METADATA",
    title: "No answer contains a session key, owner metadata or a description, in any form",
    clauses: ["NO-METADATA", "TASK-VIEW", "CONFIG-DESCRIPTION"],
    reading:
      "Looked for in status lines, headers and bodies: as they are, in other cases, escaped, in hex and base64, reversed " +
      "and as digests. A child's session key is session metadata, and a route's description is a note to the operator. A caller that sends a key gets it back in no answer.",
    isSought: (canary) => !isSecret(canary),
    expected: "an answer without session keys, owner metadata and descriptions",
    clauseOf: (name) => clauses[name] ?? "NO-METADATA",
  },
  {
    id: "NEVER-SECRET",
    title: "No answer gives a secret to a caller that did not send it",
    clauses: ["AUTH-REQUIRED", "NO-METADATA"],
    reading: "An answer that hands the secret out, whole or its first or last characters, lets everybody in.",
    isSought: isSecret,
    expected: "no secret for a caller that did not send one",
    toSenders: false,
  },
  {
    id: "NEVER-SECRET-REPEATED",
    title: "No answer repeats a secret",
    clauses: ["NO-METADATA"],
    level: "should",
    reading: "Answers are logged and shown by callers. The interface says so of session metadata alone.",
    isSought: isSecret,
    expected: "an answer without a secret",
    toSenders: true,
  },
];

export const leakRules = leaks.map(({ isSought, expected, clauseOf, toSenders, ...about }): Case => ({
  ...about,
  ...tour,
  watch: () => ({
    exchange({ server, exchange }) {
      const { search, heldBy } = keptBy(server);
      const name = exchange.answer && heldBy(exchange.answer).find(isSought)?.name;
      const finds: Finder = (text) => search(text).find(isSought)?.name === name;
      if (name === undefined || (toSenders !== undefined && carries(exchange, finds) !== toSenders)) return undefined;
      const actual = `${name} at ${placeOf(exchange, finds)}`;
      return { expected, actual, ...(clauseOf && { clause: clauseOf(name) }), seen: leakSeen(name, exchange, finds) };
    },
    bytes(server, text) {
      if (toSenders === false) return undefined;
      const held = keptBy(server).search(readings(text)).find(isSought);
      return held && { expected, actual: `${held.name} in the bytes of an answer` };
    },
  }),
}));
