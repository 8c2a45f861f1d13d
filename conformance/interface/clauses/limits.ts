import { clauses } from "./clause.ts";

/** Section 8: limits. */
export const limits = clauses({
  "RATE-120": { section: 8, level: "must", text: "120 requests of one key pass in a window; no more than that do." },
  "RATE-WINDOW": {
    section: 8,
    level: "must",
    text: "The window is fixed and lasts 60 seconds; after it a whole new budget is there.",
  },
  "RATE-KEY-PATH": { section: 8, level: "must", text: "The rate limit counts each path on its own." },
  "RATE-KEY-ADDRESS": { section: 8, level: "must", text: "The rate limit counts each client address on its own." },
  "IN-FLIGHT-8": { section: 8, level: "must", text: "8 requests of one key may be in flight; a ninth is refused." },
  "IN-FLIGHT-FREED": {
    section: 8,
    level: "must",
    text: "A request that is over is no longer in flight, however it ended.",
  },
  "IN-FLIGHT-KEY-PATH": { section: 8, level: "must", text: "The in-flight limit counts each path on its own." },
  "IN-FLIGHT-KEY-ADDRESS": {
    section: 8,
    level: "must",
    text: "The in-flight limit counts each client address on its own.",
  },
  "TRACKED-KEYS": {
    section: 8,
    level: "gap",
    text: "Up to 4,096 keys are tracked; what happens beyond is left open.",
  },
  "BODY-SIZE": { section: 8, level: "must", text: "A body of 256 KB is read; a larger one is refused." },
  "BODY-TIME": { section: 8, level: "must", text: "A body has 15 seconds to arrive." },
  "ANSWER-DELIVERED": {
    section: 8,
    level: "must",
    text: "A refusal of a body that is too large or too slow reaches the client.",
  },
});
