import { once, setMaxListeners } from "node:events";
import { expect, test } from "vitest";
import type { Case } from "../harness/case.ts";
import { inProcessTarget, launchOfHandler } from "../targets/in-process.ts";
import { refusedLaunch, type Launch } from "../targets/launch.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import { caseOf, judged, FEW_PROBES } from "../test-support/gateway.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";

const launch = launchOfHandler(handler, "webhooks");
const [beside, alone, costly] = [
  caseOf("BESIDE", {}),
  caseOf("ALONE", { alone: true }),
  caseOf("COSTLY", { alone: true, costly: true }),
];

/** Judges the cases; `onStart` is called with the number of each start before the target is there. */
async function startsFor(cases: readonly Case[], onStart: (starts: number) => Promise<void> = async () => {}) {
  let starts = 0;
  const counted: Launch = async (input) => {
    starts += 1;
    await onStart(starts);
    return launch(input);
  };
  const { results } = await judged(inProcessTarget({ name: "mine", ...FEW_PROBES }, counted), cases);
  return { starts, outcomes: results.map(({ outcome }) => outcome) };
}

const others = (["emptyVariable", "pairedFields", "entryDisabled", "noSecret"] as const).map((variant) =>
  caseOf(variant, { variant, run: async () => {} }),
);

test.concurrent.each([
  ["groups with the standard configuration, all of them", [beside, alone, costly], 3, 3],
  ["other configurations, three at a time", others, 4, 5],
])("targets are started at the same time: %s", async (_, cases, together, expected) => {
  const begun = new AbortController();
  const allBegun = once(begun.signal, "abort");
  const { starts, outcomes } = await startsFor(cases, async (count) => {
    if (count === together) begun.abort();
    // The first of all, which shows what the target offers.
    if (count > 1 || cases !== others) await allBegun;
  });
  expect(starts).toBe(expected);
  expect(outcomes).toEqual(cases.map(() => "pass"));
});

test.concurrent.each([
  ["one group alone", [alone], 1],
  ["one group of floods", [costly], 1],
  ["two groups, of which one takes the first target", [alone, costly], 2],
])("no target is started for nobody: %s", async (_what, cases, expected) => {
  const { starts, outcomes } = await startsFor(cases);
  expect(starts).toBe(expected);
  expect(outcomes).toEqual(cases.map(() => "pass"));
});

test.concurrent(
  "a run that is broken off while a target with another configuration starts leaves nothing running",
  async () => {
    const ending = new AbortController();
    const count = { starts: 0, stops: 0 };
    const counted: Launch = async (input) => {
      count.starts += 1;
      if (count.starts === 3) ending.abort();
      const launched = await launch(input);
      const { origin, ending: ended, stderrTail } = launched;
      const stop = async () => {
        count.stops += 1;
        await launched.stop();
      };
      return { origin, ending: ended, stderrTail, stop };
    };
    const target = inProcessTarget({ name: "mine", ...FEW_PROBES }, counted);
    await judged(target, [beside, ...others], { signal: ending.signal }).catch(() => {});
    expect(ending.signal.aborted).toBe(true);
    expect(count.stops).toBe(count.starts);
  },
);

test.concurrent("where the target of a group does not start, cases under way on another bring up no more", async () => {
  const [underWay, refused] = [new AbortController(), new AbortController()];
  // One listener a case.
  setMaxListeners(13, refused.signal);
  const allUnderWay = once(underWay.signal, "abort");
  // Only the target of the cases that wait is given a secret from a file.
  const starts: string[] = [];
  const launchOne: Launch = async (input) => {
    const isShared = input.configuration.files.size > 0;
    starts.push(isShared ? "shared" : "alone");
    if (isShared) return launch(input);
    await allUnderWay;
    return refusedLaunch("not a second time");
  };
  const waits = Array.from({ length: 13 }, (_, index) => {
    const run = async () => {
      if (index === 0) underWay.abort();
      if (!refused.signal.aborted) await once(refused.signal, "abort");
    };
    return caseOf(`WAITS-${index}`, { run, needs: ["secret-file"] });
  });
  const secretSources = { file: { file: "{stateDir}/{id}" } };
  const seen: string[] = [];
  const target = inProcessTarget({ name: "mine", ...FEW_PROBES, secretSources }, launchOne);
  const running = judged(target, [alone, ...waits], { onResult: ({ id }) => seen.push(id) });
  await expect(running).rejects.toThrow("the target ended before it was ready (not a second time)");
  refused.abort();
  await until(() => seen.length === waits.length);
  expect(starts.toSorted()).toEqual(["alone", "shared"]);
});

test.concurrent(
  "where the standard configuration is refused, that fails with its last words, and no group is judged on a target that was started with it",
  async () => {
    const tried: boolean[] = [];
    const refusing = launchOfHandler(async (setup) => {
      const isStandard = specialRoutes.cold.id in setup.config.routes;
      tried.push(isStandard);
      if (isStandard) throw new Error("a secret that is not there");
      return handler(setup);
    }, "webhooks");
    const cold = caseOf("COLD", { clauses: ["COLD-OTHERS"] });
    const { of, notes } = await judged(inProcessTarget({ name: "mine", ...FEW_PROBES }, refusing), [
      beside,
      alone,
      costly,
      cold,
    ]);
    expect([beside, alone, costly].map(({ id }) => of(id).outcome)).toEqual(["pass", "pass", "pass"]);
    expect(of("COLD")).toMatchObject({
      outcome: "fail",
      findings: [{ clause: "COLD-OTHERS" }],
      printed: [expect.stringContaining("a secret that is not there")],
    });
    expect([tried.length, tried.filter((isStandard) => isStandard).length]).toEqual([9, 6]);
    expect(notes.join()).toContain("judged with");
  },
);

test.concurrent(
  "a target that ends once by bad luck is started again, and is not judged without the cold routes",
  async () => {
    let starts = 0;
    const unlucky: Launch = async (input) => {
      starts += 1;
      return starts === 1 ? refusedLaunch("its port was taken") : launch(input);
    };
    const { results, notes } = await judged(inProcessTarget({ name: "mine", ...FEW_PROBES }, unlucky), [beside]);
    expect([starts, results.map(({ outcome }) => outcome)]).toEqual([2, ["pass"]]);
    expect(notes.join()).not.toContain("judged with");
  },
);
