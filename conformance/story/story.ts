/**
 * A story: the requests of one run as plain data, with names in place of what only the target knows. It is what is
 * shrunk, printed, kept in files and played again on any target; no generator is needed for that.
 */
import { z } from "zod";

/** The routes of a lane: one, another of the same session, one of another session. */
const routeNames = ["route", "sibling", "stranger"] as const;
export type RouteName = (typeof routeNames)[number];

/** Ways to write one and the same request; the first is the usual one. */
export const requestForms = ["usual", "secret in the product's header", "members reversed, in chunks"] as const;
export type RequestForm = (typeof requestForms)[number];

const flowName = z.string().regex(/^f\d+$/);

const reference = z.union([
  z.strictObject({ $flow: flowName }),
  z.strictObject({
    $revision: flowName,
    at: z.enum(["current", "stale", "future"]).optional(),
    by: z.int().min(1).optional(),
    as: z.string().optional(),
  }),
  z.strictObject({ $sessionKey: z.enum(routeNames), as: z.string().optional() }),
]);

/** A misspelt reference would be sent as something else than it says. */
function mustRefer(value: unknown, context: z.RefinementCtx): void {
  if (typeof value !== "object" || value === null) return;
  if (!Object.keys(value).some((key) => key.startsWith("$"))) {
    for (const item of Object.values(value)) mustRefer(item, context);
  } else if (!reference.safeParse(value).success) {
    context.addIssue({
      code: "custom",
      message: `${JSON.stringify(value).slice(0, 100)} stands for nothing that a target gives`,
    });
  }
}

/**
 * A body's values are JSON; these objects stand for what the target gave: `{"$flow":"f1"}` a flow's id,
 * `{"$revision":"f1","at":"current"}` its revision, `"stale"` one that it had `by` changes ago, `"future"` one that is
 * `by` ahead, `{"$revision":"f1","at":"current","as":"text"}` the current one as a text, `{"$sessionKey":"route"}` a
 * route's session key, with `"as":"child"` one of a child.
 */
const send = z.strictObject({
  do: z.literal("send"),
  route: z.enum(routeNames),
  form: z.enum(requestForms).optional().describe("How the request is written; in the usual way if absent."),
  body: z.record(z.string(), z.json().superRefine(mustRefer)).optional().describe("The JSON body."),
  as: flowName.optional().describe("The name of the flow that it creates."),
});

const steps = z.discriminatedUnion("do", [
  send,
  z.strictObject({ do: z.literal("pass"), ms: z.int().min(0).max(600_000) }),
  z.strictObject({ do: z.literal("settle"), flow: flowName, task: z.int().min(0), status: z.string() }),
  z.strictObject({ do: z.literal("persist"), fail: z.array(z.enum(["create", "update", "task", "cancel"])) }),
  z.strictObject({
    do: z.literal("together"),
    sends: z.array(send).min(2).max(64),
    width: z.int().min(2).max(64).optional().describe("How many are under way at the same time; all if absent."),
  }),
]);

export type Step = z.infer<typeof steps>;
export type SendStep = z.infer<typeof send>;
export type Story = readonly Step[];

export const storyStepsSchema = z.array(steps).min(1).max(10_000);

/** Overlapping requests may be answered otherwise the next time: such a story is played several times before it is believed. */
export const isByChance = (story: Story): boolean => story.some((step) => step.do === "together");

/** The flows that a step names. */
export function flowsNamedIn(step: Step): string[] {
  if (step.do === "settle") return [step.flow];
  if (step.do === "together") return step.sends.flatMap(flowsNamedIn);
  if (step.do !== "send") return [];
  const named = Object.values(step.body ?? {}).flatMap((value) => {
    const { $flow, $revision } = (typeof value === "object" && value !== null ? value : {}) as Reference;
    return [$flow, $revision].filter((name) => name !== undefined);
  });
  return [...new Set(named)];
}

export interface Reference {
  readonly $flow?: string;
  readonly $revision?: string;
  readonly at?: "current" | "stale" | "future";
  readonly by?: number;
  /** With `$revision`: the name of a value that cannot be a revision, see `odd-revisions.ts`. With `$sessionKey`: a suffix of the key. */
  readonly as?: string;
  readonly $sessionKey?: RouteName;
}

/** A request with what stands for values filled in; `undefined` where the story has lost what it refers to. */
export function fillReferences(value: unknown, lookUp: (reference: Reference) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fillReferences(item, lookUp));
  if (Object.keys(value).some((key) => key.startsWith("$"))) return lookUp(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillReferences(item, lookUp)]));
}
