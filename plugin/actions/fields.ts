import { z } from "zod";
import type { Json } from "../ports.ts";

/*
 * The kinds of field that actions take. Each has a message of its own: zod's messages may repeat what was sent.
 */

const nonBlank = "expected a string that is not blank";

const textElse = (error: string) => z.string({ error }).trim().min(1, { error });

export const text = textElse(nonBlank);

/** Null clears what is stored. No union: it would write an error for each of its kinds wherever the field is absent. */
export const clearableText = textElse(`${nonBlank}, or null`).nullable().exactOptional();

export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(", ")}` });

const nonNegative = "expected an integer that is not negative";

export const revision = z.int({ error: nonNegative }).min(0, { error: nonNegative });

/** Milliseconds since the epoch. */
export const timestamp = z
  .int({ error: `${nonNegative}, in milliseconds` })
  .min(0, { error: `${nonNegative}, in milliseconds` });

/** Any JSON value: the body was parsed from JSON. */
export const json = z.custom<Json>(() => true).exactOptional();

export const flag = z.boolean({ error: "expected a boolean" });

export const notifyPolicy = oneOf("done_only", "state_changes", "silent");

/** The flow to change, and the revision at which the caller read it. */
export const atRevision = { flowId: text, expectedRevision: revision };
