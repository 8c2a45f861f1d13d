/** Any sequence on several routes, with contents of every kind: no canary in any form in any response. */
import * as fc from "fast-check";
import { readings, searchFor } from "../../harness/finder.ts";
import { changeActions } from "../../interface/flow-model.ts";
import type { SendStep, Step } from "../../story/story.ts";
import { intentOf, jsonData, text, type Intent } from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import { departure } from "../../oracle/departure.ts";
import { tooFewJudged } from "../../oracle/visits.ts";
import { flowPlayer, type Watch } from "../../oracle/play/flow-player.ts";
import type { Playing } from "../../oracle/play/step-player.ts";
import { creationOf } from "../../oracle/flow-requests.ts";
import type { Property } from "./property.ts";

const LENGTH = 24;

const about = intentOf({
  action: fc.constantFrom(...changeActions, "cancel_flow", "list_flows"),
  column: fc.constantFrom("waiting", "blocked", "finished"),
  revision: fc.constantFrom("current", "stale"),
  nth: fc.nat(1),
});

/** Child tasks of sessions with every kind of name: none of them may be shown. */
const children = intentOf({
  action: "run_task",
  more: fc.record({ childSessionKey: text.map((key) => `child-canary-${key}`), task: text }),
  looks: true,
});

const contents = intentOf({
  action: "create_flow",
  more: fc.record({ goal: text, stateJson: jsonData, currentStep: text }),
});

/** Requests from another session's route. */
const strangers = intentOf({ action: fc.constantFrom("look", ...changeActions), route: "stranger" });

/** Requests that are refused, with values that a careless message would repeat. */
const refused = fc
  .tuple(fc.constantFrom("action", "field", "text", "secret"), fc.oneof(text, jsonData))
  .map(([kind, value]) => spoiltBy(kind, value));

function spoiltBy(kind: string, value: unknown): SendStep {
  const send = { do: "send", route: "route" } as const;
  const body = { action: "create_flow", goal: "g" };
  if (kind === "action") return { ...send, body: { action: value as never } };
  if (kind === "field")
    return { ...send, body: { ...body, childSessionKey: value as never, sessionKey: value as never } };
  if (kind === "text") return { ...send, text: `{"action":"create_flow","goal":${JSON.stringify(value)}` };
  return { ...send, body, secret: "wrong" };
}

/** Looks for canaries in every response; the session keys of children become known as they are sent. */
function watch({ executor: { canaries } }: Playing): Watch {
  const searches = [searchFor(canaries)];
  return ({ body }, { exchange, text }) => {
    const { childSessionKey } = body;
    if (typeof childSessionKey === "string" && childSessionKey.startsWith("child-canary-")) {
      searches.push(searchFor([{ name: "a child's session key", value: childSessionKey }]));
    }
    const headers = [...(exchange.answer?.headers ?? [])].map(([name, values]) => `${name}: ${values.join(", ")}`);
    const all = readings([text, ...headers].join("\n"));
    const leak = searches.map((search) => search(all)).find((found) => found !== undefined);
    return leak && departure("NO-METADATA", "an answer without session keys, owner metadata or secrets", leak.name);
  };
}

const clauses = ["NO-METADATA", "TASK-VIEW"] as const;

export const leakage: Property<Intent | SendStep> = {
  id: "PROPERTY-LEAKAGE",
  title: "No answer of any sequence on several routes holds a session key, owner metadata or a secret, in any form",
  clauses,
  reading: "Looked for as they are, in other cases, percent-encoded, in hex and base64, in bodies and in headers.",
  runs: 2,
  player: flowPlayer({ watch, clauses }),
  coverageGap: tooFewJudged,
  begin: [creationOf("f1"), creationOf("f2", "stranger")],
  intents: fc.array(fc.oneof({ arbitrary: about, weight: 3 }, children, contents, strangers, refused), {
    minLength: LENGTH,
    maxLength: LENGTH,
    size: "max",
  }),
  *plan(world, intent): Generator<Step> {
    if ("do" in intent) yield intent;
    else {
      yield* planIntent(world, intent);
      // The second refusal may say more than the first.
      if (intent.revision === "stale") yield* planIntent(world, intent);
    }
  },
};
