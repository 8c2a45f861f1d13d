/** With every gap left open much may be so or so: what may not is found all the same. */
import { expect, test } from "vitest";
import { accept, reject } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { withAction, withFlows, withRequest, withStage, withViews } from "../../proof/changes.ts";
import { different } from "../../proof/different/index.ts";
import type { Change } from "../../proof/subject.ts";
import { clauseOf } from "../../test-support/search.test-support.ts";

/** With the profile that binds no gap. */
const judged = (change: Change, id: string, seed = 1): Promise<string> =>
  clauseOf(change, id, { profile: "spec", seed });

/** A target that takes no run_task without a childSessionKey, and then does as `change` says. */
const insisting = (change: Change): Change => {
  const insists = withStage("action", (exchange, right) => {
    const { action, childSessionKey } = exchange.body ?? {};
    return action === "run_task" && typeof childSessionKey !== "string" ? reject("invalid_request") : right();
  });
  return { parts: (parts, origin) => insists.parts?.(change.parts?.(parts, origin) ?? parts, origin) ?? parts };
};

test("who insists on a childSessionKey is given one, so that its other rules are judged", async () => {
  const anyRuntime = withRequest((body) =>
    body["action"] === "run_task" && typeof body["runtime"] === "string" && body["runtime"] !== "subagent"
      ? { ...body, runtime: "acp" }
      : body,
  );
  expect(await judged(insisting({}), "PROPERTY-RUN-TASK")).toBe("pass");
  expect(await judged(insisting(anyRuntime), "PROPERTY-RUN-TASK")).toBe("RUN-TASK-RUNTIME");
});

test("a target that takes no run_task at all, with a childSessionKey or without, breaks the action", async () => {
  const refusing = withAction("run_task", async () => reject("invalid_request"));
  expect(await judged(refusing, "PROPERTY-RUN-TASK")).toBe("ACTION-RUN-TASK");
});

/** get_flow shows another record of a flow whose cancellation was asked for. */
const readAs = (change: (flow: FlowRecord) => FlowRecord): Change =>
  withFlows((flows) => ({
    get: async (flowId) => {
      const flow = await flows.get(flowId);
      return flow?.cancelRequestedAt === undefined ? flow : change(flow);
    },
  }));

test("a flow that may be cancelled by itself keeps its goal, and its revision does not fall", async () => {
  const otherGoal = readAs((flow) => ({ ...flow, goal: "another goal" }));
  expect(await judged(otherGoal, "PROPERTY-STATES")).toBe("REVISION-UNCHANGED");
  const falling = readAs((flow) => ({ ...flow, revision: flow.revision - 1 }));
  expect(await judged(falling, "PROPERTY-STATES")).toBe("REVISION-ADVANCES");
});

/** A list of ids and goals, without the first of them. */
const listing = (from: number): Change =>
  withAction("list_flows", async ({ context: { flows } }) => {
    const items = (await flows.list()).slice(from).map(({ flowId, goal }) => ({ flowId, goal }));
    return accept({ items });
  });

test("what a list shows of a flow beside its id is open, that it shows every flow is not", async () => {
  expect(await judged(listing(0), "PROPERTY-STATES")).toBe("pass");
  expect(await judged(listing(1), "PROPERTY-STATES")).toBe("ACTION-LIST-FLOWS");
});

test("state data may be taken as a text of JSON, and shown as what it holds", async () => {
  const texts = different.find(({ freedom }) => freedom.startsWith("the form of state and wait data: texts"));
  if (texts === undefined) throw new Error("there is no such subject");
  // The first seed that sends a text which is JSON by itself.
  expect(await judged(texts.change, "PROPERTY-STATES", 24)).toBe("pass");
});

test("a summary may count for each runtime by itself", async () => {
  const byRuntime = withViews(() => ({
    summary: ({ byRuntime }) => {
      const used = Object.entries(byRuntime).filter(([, total]) => total > 0);
      return Object.fromEntries(used.map(([runtime, total]) => [runtime, { total }]));
    },
  }));
  expect(await judged(byRuntime, "PROPERTY-STATES")).toBe("pass");
});

test("a task may set a flow going that waits", async () => {
  const going = withFlows((flows) => ({
    runTask: async (input) => {
      const result = await flows.runTask(input);
      if (!result.created || result.flow.status !== "waiting") return result;
      const { flowId, revision } = result.flow;
      const resumed = await flows.resume({ flowId, expectedRevision: revision, status: "running" });
      return resumed.applied ? { ...result, flow: resumed.flow } : result;
    },
  }));
  expect(await judged(going, "PROPERTY-STATES")).toBe("pass");
});

const differing = (id: string): Change => different.find((one) => one.id === `different-${id}`)?.change ?? {};

// `npm run prove` judges every different plugin with all properties and the first seed; these need another seed or profile.
test("nobody is blamed for state data that is kept as a pair", async () => {
  expect(await judged(differing("data-kept-as-a-pair"), "PROPERTY-STATES", 2)).toBe("pass");
});

test("who is asked to cancel again may change nothing, with the reference profile too", async () => {
  expect(await clauseOf(differing("request-cancel-again"), "PROPERTY-STATES")).toBe("pass");
});

test("a cancellation may be two changes: asked for, and done", async () => {
  const asksFirst = withFlows((flows) => ({
    cancel: async (input) => {
      const flow = await flows.get(input.flowId);
      if (flow !== undefined && flow !== null && flow.cancelRequestedAt === undefined)
        await flows.requestCancel({ flowId: flow.flowId, expectedRevision: flow.revision });
      const { expectedRevision: _before, ...rest } = input;
      return flows.cancel(rest);
    },
  }));
  expect(await clauseOf(asksFirst, "PROPERTY-STATES")).toBe("pass");
});
