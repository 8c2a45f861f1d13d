/** Two answers of the run do not contradict each other: a flow that nobody has changed meanwhile is shown as before. */
import { isDeepStrictEqual } from "node:util";
import { actions, type ActionName } from "../../fixtures/fields.ts";
import type { Case } from "../harness/case.ts";
import { flowsOf, isShownAs, type FlowView } from "../harness/checks.ts";
import type { Arrival, Breach, Departure, Watcher } from "../harness/watcher.ts";
import { isAccepted } from "../http/exchange.ts";
import { perInstance } from "./per-instance.ts";
import { tour } from "./tour.ts";

/** Flows that are remembered of one instance; a case may create thousands. */
const MAX_FLOWS = 2000;
/** A longer body is padded, or refused for its length. */
const MAX_BODY_BYTES = 32 * 1024;

/** What a view may not show otherwise as long as nobody changes the flow. Times and counters of children may move. */
const STEADY = ["revision", "status", "goal", "controllerId", "notifyPolicy", "currentStep", "stateJson", "waitJson"];

const EXPECTED = "a flow that nobody has changed shown as before, and no revision again that another has replaced";

/** What is known of one flow. */
interface Known {
  /** As the last answer showed it, and when that request was sent and answered. */
  view: FlowView;
  sent: number;
  answered: number;
  /** Revisions that a later one has replaced. */
  readonly past: Set<number>;
  /** When the last request that may change it was sent. */
  touched: number;
  /** Its children, or its cancellation, may change it at any moment. */
  restless: boolean;
}

/** Actions after which a flow may change by itself. */
const RESTLESS: readonly ActionName[] = ["run_task", "cancel_flow", "request_cancel"];

/** Every text in a value. */
function textsIn(value: unknown, depth = 4): string[] {
  if (typeof value === "string") return [value.trim()];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item, depth - 1)]);
}

function parsed(body: Uint8Array): unknown {
  if (body.byteLength > MAX_BODY_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.from(body).toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** The action that a body asks for, where it is one of the 13. */
function actionIn(value: unknown): ActionName | undefined {
  if (typeof value !== "object" || value === null || !("action" in value)) return undefined;
  const { action } = value;
  return typeof action === "string" && Object.hasOwn(actions, action) ? (action as ActionName) : undefined;
}

class Flows {
  readonly #flows = new Map<string, Known>();

  /** A request that may change flows goes out; it names each of them somewhere. */
  departure({ body, order }: Departure): void {
    const value = parsed(body);
    const action = actionIn(value);
    if (action !== undefined && actions[action].effect === "reads") return;
    for (const text of textsIn(value)) {
      const known = this.#flows.get(text);
      if (known === undefined) continue;
      known.touched = order;
      known.restless ||= action === undefined || RESTLESS.includes(action);
    }
  }

  arrival(arrival: Arrival): Breach | undefined {
    if (arrival.sent === 0 || !isAccepted(arrival.exchange)) return undefined;
    let breach: Breach | undefined;
    for (const view of flowsOf(arrival.exchange)) breach ??= this.#compared(view, arrival);
    return breach;
  }

  #compared(view: FlowView, { sent, order: answered }: Arrival): Breach | undefined {
    const known = this.#flows.get(view.flowId);
    if (known === undefined) {
      // Others may be changing it: that shows once it is named in a request.
      this.#remember(view.flowId, { view, sent, answered, past: new Set(), touched: 0, restless: false });
      return undefined;
    }
    // Sent while the other one was on its way: either may have come first.
    if (sent < known.answered) return undefined;
    if (known.past.has(view.revision)) return { expected: EXPECTED, actual: "a revision that was replaced before" };
    const before = known.view;
    const isSame = !known.restless && known.touched <= known.sent;
    if (before.revision !== view.revision) known.past.add(before.revision);
    if (sent >= known.touched) Object.assign(known, { view, sent, answered });
    return isSame ? differenceOf(before, view) : undefined;
  }

  #remember(flowId: string, known: Known): void {
    if (this.#flows.size >= MAX_FLOWS) {
      const [oldest = ""] = this.#flows.keys();
      this.#flows.delete(oldest);
    }
    this.#flows.set(flowId, known);
  }
}

/** Half a character has no form in UTF-8: a store keeps what stands in its place. */
const stored = (value: unknown): unknown =>
  typeof value === "string" ? Buffer.from(value, "utf8").toString("utf8") : value;

function differenceOf(before: FlowView, view: FlowView): Breach | undefined {
  const field = STEADY.find((name) => {
    if (!Object.hasOwn(before, name) || !Object.hasOwn(view, name)) return false;
    const [was, is] = [stored(before[name]), stored(view[name])];
    return !isDeepStrictEqual(was, is) && !isShownAs(was, is);
  });
  if (field === undefined) return undefined;
  return { expected: EXPECTED, actual: `another ${field}` };
}

function watch(): Watcher {
  const flowsOfInstance = perInstance(() => new Flows());
  return {
    departure: (departure) => flowsOfInstance(departure.instance).departure(departure),
    arrival: (arrival) => flowsOfInstance(arrival.instance).arrival(arrival),
  };
}

export const contradictions: Case = {
  id: "NEVER-CONTRADICTS",
  title: "No answer of the whole run contradicts an earlier one about a flow that nobody has changed meanwhile",
  clauses: ["REVISION-ADVANCES", "FLOW-IDENTITY"],
  level: "must",
  reading:
    "What the answer to a change shows (revision, status, goal, stored data) is what the next read shows, whichever " +
    "action reads. A flow with children or a requested cancellation may change by itself; but a revision that another " +
    "has replaced is stale, and no flow has it again.",
  ...tour,
  watch,
};
