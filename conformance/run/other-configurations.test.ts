import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../fakes/clock.ts";
import { startGatewayWithControl } from "../../fakes/control.ts";
import { createManagedFlows } from "../../fakes/managed-flows.ts";
import plugin from "../../plugin/index.ts";
import type { Case } from "../harness/case.ts";
import { Failure } from "../harness/case-errors.ts";
import { inProcessTarget } from "../targets/in-process.ts";
import { caseOf, judged, FEW_PROBES } from "../test-support/gateway.test-support.ts";

/** The kit's gateway in this process, with a control port that reloads; `onReload` is called before each. */
function reloadingTarget(onReload: () => void = () => {}) {
  const count = { starts: 0, stops: 0 };
  const target = inProcessTarget({ name: "mine", ...FEW_PROBES }, async ({ configuration, configFile, stateDir }) => {
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
    loaded.push([...trial.server.configuration.routes.keys()].at(-1) ?? "");
    const { answer } = await trial.post({ action: "list_flows" }, trial.special("probe"));
    if (answer?.status !== 200) throw new Failure("200", String(answer?.status));
  };
  const { results } = await judged(target, [
    caseOf("STANDARD", { run: loads }),
    caseOf("FIRST", { variant: "emptyVariable", run: loads }),
    caseOf("REFUSED", { variant: "noSecret", run: loads }),
    caseOf("SECOND", { variant: "pairedFields", run: loads }),
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(4).fill("pass"));
  expect(loaded.toSorted()).toEqual(["cold", "empty-variable", "lane-12-stranger"]);
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
