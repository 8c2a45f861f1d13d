/** Any sequence on several routes, with contents of every kind: no canary in any form in any answer. */
import * as fc from "fast-check";
import { leakIn } from "../harness/leaks.ts";
import { columns } from "../interface/flow-model.ts";
import { finding } from "./finding.ts";
import type { Property } from "./property.ts";
import type { SendStep, Step } from "../story/story.ts";
import { changing, jsonData, planWish, text, wishFor, type Wish } from "./wishes.ts";

const LENGTH = 24;

type LeakWish = Wish & { readonly spoilt?: SendStep };

const about = fc
  .record({
    action: fc.constantFrom(...changing, "cancel_flow" as const, "list_flows" as const),
    column: fc.constantFrom("waiting" as const, "blocked" as const, "finished" as const),
    revision: fc.constantFrom("current" as const, "stale" as const),
  })
  .chain(({ action, column, revision }) => fc.nat(1).chain((nth) => wishFor(action, column, { revision, nth })));

/** Child tasks of sessions with every kind of name: none of them may be shown. */
const children = fc
  .record({
    more: fc.record({ childSessionKey: text.map((key) => `child-canary-${key}`), task: text }),
    column: fc.constantFrom(...columns),
  })
  .chain(({ more, column }) => wishFor("run_task", column, { more, looks: true }));

const contents = fc
  .record({ goal: text, stateJson: jsonData, currentStep: text })
  .chain((more) => wishFor("create_flow", "new", { more }));

/** Another session's eyes on the flow. */
const strangers = fc
  .constantFrom(...columns)
  .chain((column) =>
    fc.constantFrom("look" as const, ...changing).chain((action) => wishFor(action, column, { route: "stranger" })),
  );

/** Requests that are refused, with values that a careless message would repeat. */
const refused: fc.Arbitrary<LeakWish> = fc
  .record({ value: fc.oneof(text, jsonData), kind: fc.constantFrom("action", "field", "text", "secret") })
  .chain(({ value, kind }) => wishFor("pass", "new").map((wish) => ({ ...wish, spoilt: spoiltBy(kind, value) })));

function spoiltBy(kind: string, value: unknown): SendStep {
  const send = { do: "send", route: "route" } as const;
  const body = { action: "create_flow", goal: "g" };
  if (kind === "action") return { ...send, body: { action: value as never } };
  if (kind === "field")
    return { ...send, body: { ...body, childSessionKey: value as never, sessionKey: value as never } };
  if (kind === "text") return { ...send, text: `{"action":"create_flow","goal":${JSON.stringify(value)}` };
  return { ...send, body, secret: "wrong" };
}

export const leakage: Property<LeakWish> = {
  id: "PROPERTY-LEAKAGE",
  title: "No answer of any sequence on several routes holds a session key, owner metadata or a secret, in any form",
  clauses: ["NO-METADATA", "TASK-VIEW"],
  narrow: true,
  reading: "Looked for as they are, in other cases, percent-encoded, in hex and base64, in bodies and in headers.",
  runs: 6,
  begin: [
    { do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "the first flow" } },
    { do: "send", route: "stranger", as: "f2", body: { action: "create_flow", goal: "a flow of another session" } },
  ],
  wishes: fc.array(fc.oneof({ arbitrary: about, weight: 3 }, children, contents, strangers, refused), {
    minLength: LENGTH,
    maxLength: LENGTH,
    size: "max",
  }),
  *plan(world, wish): Generator<Step> {
    if (wish.spoilt === undefined) yield* planWish(world, wish);
    else yield wish.spoilt;
    // The second refusal may say more than the first.
    if (wish.revision === "stale") yield* planWish(world, wish);
  },
  watch: ({ canaries }) => {
    const known = [...canaries];
    return ({ body }, { exchange, text }) => {
      const { childSessionKey } = body;
      if (typeof childSessionKey === "string" && childSessionKey.startsWith("child-canary-")) {
        known.push({ name: "a child's session key", value: childSessionKey });
      }
      const headers = [...(exchange.answer?.headers ?? [])].map(([name, values]) => `${name}: ${values.join(", ")}`);
      const leak = leakIn([text, ...headers].join("\n"), known) ?? leakIn(text, known);
      return leak && finding("NO-METADATA", "an answer without session keys, owner metadata or secrets", leak.name);
    };
  },
};
