import { expect, test } from "vitest";
import type { Case } from "../harness/case.ts";
import { launchedTarget, launchOf } from "../proof/launch.ts";
import type { Clock, Launch } from "../targets/launch.ts";
import { caseOf, judged } from "../test-support/gateway.test-support.ts";

/** Has a clock to drive where it is told so, or always. */
function target(starts: (Clock | undefined)[], always = false) {
  const launch: Launch = (input) => {
    starts.push(input.clock);
    return launchOf({}, input.clock !== "driven" && !always)(input);
  };
  const start = { command: ["in this process", "--clock", "{clock}"], readyTimeoutMs: 5000 };
  return launchedTarget("mine", launch, { start, profile: "spec" });
}

/** A minute passes only where the clock is driven. */
const passes: Case["run"] = (trial) => trial.pass(trial.driven ? 60_000 : 1);
const plain = caseOf("PLAIN", { run: passes });
const waits = caseOf("WAITS", { run: passes, seconds: 1 });
const edge = caseOf("EDGE", { run: passes, needs: ["clock"], seconds: 60 });
const seesMore = caseOf("SEES-MORE", { run: passes, clock: "driven", alone: true });

async function clocksOf(cases: readonly Case[], quick = false) {
  const starts: (Clock | undefined)[] = [];
  const { clock, results } = await judged(target(starts), cases, { quick });
  const ofCase = Object.fromEntries(results.map(({ id, outcome, clock: own }) => [id, own ?? outcome]));
  return { clock, ofCase, starts: starts.map(String).toSorted() };
}

test("a target that takes the clock is started with each, and every case runs where it sees most", async () => {
  const { clock, ofCase, starts } = await clocksOf([plain, waits, edge, seesMore]);
  expect(clock).toBe("both");
  expect(ofCase).toEqual({ PLAIN: "real", WAITS: "real", EDGE: "driven", "SEES-MORE": "driven" });
  expect(starts).toEqual(["driven", "real"]);
});

test("no server is started for a clock that no case needs, and a quick run needs the driven one only", async () => {
  expect(await clocksOf([edge])).toMatchObject({ clock: "driven", starts: ["driven"] });
  expect(await clocksOf([plain, waits])).toMatchObject({ clock: "real", starts: ["real"] });
  const { ofCase, starts } = await clocksOf([plain, waits, edge, seesMore], true);
  expect(new Set(Object.values(ofCase))).toEqual(new Set(["driven"]));
  expect(new Set(starts)).toEqual(new Set(["driven"]));
});

test("a server that does not have the clock that it was started with is told", async () => {
  const running = judged(target([], true), [plain]);
  await expect(running).rejects.toThrow(
    "started with {clock} filled in as real, the target's control port offers a clock: it has to for driven only",
  );
});
