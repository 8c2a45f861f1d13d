/** Section 4: one way to fail each check of the order, and what the answer to it is known by. */
import { REFUSED_BYTES } from "../../fixtures/broken-requests.ts";
import { paddedTo, withBody, withHeader, withMethod, type Request } from "../../fixtures/request.ts";
import { describe, envelopeOf, textOf, type Exchange } from "../http/exchange.ts";
import type { Trial } from "./trial.ts";
import { fill, keyOf } from "./limit-keys.ts";
import { usedUp, type UsedUp } from "./used-up.ts";

export type Rank = "METHOD" | "RATE" | "IN-FLIGHT" | "AUTH" | "BODY";

/** One way to fail a check: by what is in the request, or by the state that its key is in. */
export interface Defect {
  readonly name: string;
  readonly rank: Rank;
  readonly what: string;
  /** The request with the defect. */
  readonly spoil?: (request: Request) => Request;
  /** A key in the state, and the refusal of a right request to it. */
  readonly engage?: (trial: Trial) => Promise<Pick<UsedUp, "key" | "refusal">>;
}

/** The checks in their order. Method and content type are one check, in two forms. */
export const defects: readonly Defect[] = [
  { name: "METHOD", rank: "METHOD", what: "another method", spoil: (request) => withMethod(request, "PUT") },
  {
    name: "CONTENT-TYPE",
    rank: "METHOD",
    what: "another content type",
    spoil: (request) => withHeader(request, "content-type", "text/plain"),
  },
  { name: "RATE", rank: "RATE", what: "a used-up budget", engage: (trial) => usedUp(trial, 3) },
  {
    name: "IN-FLIGHT",
    rank: "IN-FLIGHT",
    what: "eight requests in flight",
    engage: async (trial) => ({ key: keyOf(trial), refusal: (await fill(trial, keyOf(trial))).refusal }),
  },
  {
    name: "AUTH",
    rank: "AUTH",
    what: "a wrong secret",
    spoil: (request) => withHeader(request, "authorization", "Bearer wrong"),
  },
  { name: "BODY", rank: "BODY", what: "malformed JSON", spoil: (request) => withBody(request, "{") },
  { name: "BODY-SIZE", rank: "BODY", what: "a body too large", spoil: (request) => paddedTo(request, REFUSED_BYTES) },
];

/** What an answer is known by: status and code, or status and text without its figures. */
export function fingerprint(exchange: Exchange): string {
  const code = envelopeOf(exchange)?.code;
  if (exchange.answer === undefined) return describe(exchange);
  const text = typeof code === "string" ? code : textOf(exchange.answer).replace(/\d+/g, "#").slice(0, 200);
  return `${exchange.answer.status} ${text}`;
}
