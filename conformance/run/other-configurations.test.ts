import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../fakes/clock.ts";
import { startGatewayWithControl } from "../../fakes/control.ts";
import { createManagedFlows } from "../../fakes/managed-flows.ts";
import plugin from "../../plugin/index.ts";
import type { Case } from "../harness/case.ts";
import { Failure, NotApplicable } from "../harness/case-errors.ts";
import { inProcessTarget, launchOfHandler } from "../targets/in-process.ts";
import { badRoutes } from "../targets/variants.ts";
import { caseOf, judged } from "../test-support/gateway.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";

const { noSecret, noSessionKey } = badRoutes;

/** Judges cases of three other configurations; `refuses`: whether the target refuses a configuration with these routes. */
async function judgedWith(run: Case["run"], refuses: (routes: readonly string[]) => boolean = () => false) {
  const starts: string[][] = [];
  const target = inProcessTarget(
    { name: "mine" },
    launchOfHandler(async (setup) => {
      const bad = Object.keys(setup.config.routes).filter((id) => id === noSecret.id || id === noSessionKey.id);
      if (!("lane-01" in setup.config.routes)) starts.push(bad);
      if (refuses(bad)) throw new Error("a bad route");
      return handler(setup);
    }, "webhooks"),
  );
  const cases = [
    caseOf("ONE", { variant: "noSecret", run }),
    caseOf("OTHER", { variant: "noSessionKey", run }),
    caseOf("GOOD", { variant: "pairedFields", run }),
  ];
  const { results } = await judged(target, cases);
  return { starts, outcomes: Object.fromEntries(results.map(({ id, outcome }) => [id, outcome])) };
}

const posts: Case["run"] = async (trial) => void (await trial.post({ action: "list_flows" }, trial.special("probe")));

test("one start serves all of a kind, where every case passes there", async () => {
  const { starts, outcomes } = await judgedWith(posts);
  expect(outcomes).toEqual({ ONE: "pass", OTHER: "pass", GOOD: "pass" });
  expect(starts).toEqual([[noSessionKey.id, noSecret.id], []]);
});

test("each has a start of its own at a target that refuses them all for the sake of one", async () => {
  const { starts, outcomes } = await judgedWith(posts, (bad) => bad.includes(noSecret.id));
  expect(outcomes).toEqual({ ONE: "pass", OTHER: "pass", GOOD: "pass" });
  expect(starts).toEqual([[noSessionKey.id, noSecret.id], [noSecret.id], [noSessionKey.id], []]);
});

test("what does not pass beside the others counts only where it stands alone", async () => {
  const { starts, outcomes } = await judgedWith(async (trial) => {
    const routes = trial.instance.configuration.routes;
    if (routes.has(noSecret.id) && routes.has(noSessionKey.id)) throw new Failure("one bad route", "two");
    if (routes.has(noSecret.id)) throw new NotApplicable("not here");
    if (routes.has(noSessionKey.id)) throw new Failure("a refusal", "200");
  });
  expect(outcomes).toEqual({ ONE: "not-applicable", OTHER: "fail", GOOD: "pass" });
  expect(starts).toEqual([[noSessionKey.id, noSecret.id], [noSecret.id], [noSessionKey.id], []]);
});

/** The kit's gateway in this process, with a control port that reloads; `onReload` is called before each. */
function reloadingTarget(onReload: () => void = () => {}) {
  const count = { starts: 0, stops: 0 };
  const target = inProcessTarget({ name: "mine" }, async ({ configuration, configFile, stateDir }) => {
    count.starts += 1;
    const { gateway, control, close } = await startGatewayWithControl({
      document: configuration.document,
      configDir: stateDir,
      plugin,
      clock: systemClock,
      flows: createManagedFlows({ clock: systemClock }),
      port: 0,
      controlPort: 0,
      drivenClock: undefined,
      env: { ...process.env, ...configuration.environment },
      log: () => {},
      readAgain: async () => {
        onReload();
        return JSON.parse(await readFile(configFile, "utf8")) as unknown;
      },
    });
    const stop = async () => {
      count.stops += 1;
      await close();
    };
    return { origin: gateway.url, control: control?.url, ending: undefined, stderrTail: "", stop };
  });
  return { target, count };
}

test("a running target that can load another configuration is started once for all", async () => {
  const loaded: string[] = [];
  const { target, count } = reloadingTarget();
  const loads: Case["run"] = async (trial) => {
    loaded.push([...trial.instance.configuration.routes.keys()].at(-1) ?? "");
    const { answer } = await trial.post({ action: "list_flows" }, trial.special("probe"));
    if (answer?.status !== 200) throw new Failure("200", String(answer?.status));
  };
  const { results } = await judged(target, [
    caseOf("STANDARD", { run: loads }),
    caseOf("FIRST", { variant: "emptyVariable", run: loads }),
    caseOf("REFUSED", { variant: "noSecret", run: loads }),
    caseOf("SECOND", { variant: "pairedFields", run: loads }),
    caseOf("RESOLVED", { variant: "secretResolved", run: loads }),
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill("pass"));
  expect(loaded.toSorted()).toEqual(["cold", "empty-variable", "lane-12-stranger", "paired-disabled"]);
  // The standard configuration, and those that are loaded one after the other.
  expect(count).toEqual({ starts: 2, stops: 2 });
});

test("a run that is broken off while the target loads another configuration leaves nothing running", async () => {
  const ending = new AbortController();
  const { target, count } = reloadingTarget(() => ending.abort());
  const cases = [caseOf("FIRST", { variant: "emptyVariable" }), caseOf("SECOND", { variant: "pairedFields" })];
  await judged(target, cases, { signal: ending.signal }).catch(() => {});
  expect(ending.signal.aborted).toBe(true);
  expect(count).toEqual({ starts: 2, stops: 2 });
});
