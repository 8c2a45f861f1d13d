import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { searched } from "../test-support/search.test-support.ts";
import { checkReplay } from "../story/replay-file.ts";
import type { Property } from "./definitions/property.ts";
import { propertyOf } from "./index.ts";
import { storyFailure } from "./tell.ts";
import { cases } from "../catalogue.ts";
import { storyIn } from "../harness/result.ts";
import { judgeSubject, runSuite } from "../proof/judge-subject.ts";
import { launchedTarget, launchOf } from "../proof/launch.ts";
import type { Change } from "../proof/subject.ts";
import type { Launch } from "../targets/launch.ts";

const chosen = cases.filter(({ id }) => id === "PROPERTY-REVISIONS");

/** A plugin that takes some stale revisions for right ones; `forgives` says which conflicts. */
const forgiving = (forgives: () => boolean): Change => ({
  parts: (parts) => ({
    ...parts,
    writeAnswer: (request, response, routeId, answer, wording) => {
      const isForgiven = answer.code === "revision_conflict" && forgives();
      const given = isForgiven ? { ok: true, result: {} } : answer;
      parts.writeAnswer(request, response, routeId, given, wording);
    },
  }),
});

test("a target that answers the same requests otherwise each time is told with both stories, and not shrunk", async () => {
  let conflicts = 0;
  const change = forgiving(() => ++conflicts === 5);
  const [result] = (await judgeSubject("flaky", change, "reference", chosen)).results;
  expect(result).toMatchObject({ outcome: "fail", findings: [{ expected: "the same answers to the same requests" }] });
  const { note, steps = [], replay } = storyIn(result) ?? {};
  expect(note).toMatch(/^seed 1, run \d+: the same requests were answered otherwise the second time$/);
  const second = steps.flatMap(({ secondAnswers = [] }) => secondAnswers);
  expect(second.at(-1)?.answer).toMatch(/^\d{3} ok:/);
  expect(replay).toBeUndefined();
});

test("a target that dies again and again while a story is made smaller leaves the story so far, to be replayed", async () => {
  let starts = 0;
  const launch: Launch = async (input) => {
    starts += 1;
    let [conflicts, ending] = [0, undefined as string | undefined];
    let stop: (() => Promise<void>) | undefined;
    const launched = await launchOf(
      forgiving(() => {
        conflicts += 1;
        if (conflicts === 6) {
          ending = "exit code 1";
          void stop?.();
        }
        return true;
      }),
    )(input);
    const ended = () => launched.stop();
    stop = ended;
    return {
      ...launched,
      stop: ended,
      get ending() {
        return ending;
      },
    };
  };
  const [result] = (await runSuite(launchedTarget("dying", launch), "reference", chosen)).results;
  expect(result).toMatchObject({ outcome: "fail", findings: [{ expected: "a target that goes on answering" }] });
  const story = storyIn(result);
  expect(story?.note).toMatch(/; fewer requests may do: the target no longer answers$/);
  expect(story?.replay?.clause).toBe("REVISION-STALE");
  // Once more before it was blamed.
  expect(starts).toBe(2);
});

test("a search whose time is over ends its stories where they are, and has judged nothing", async () => {
  const started = performance.now();
  let requests = 0;
  const late = searched({}, "PROPERTY-STATES", {
    searchMs: 2500,
    around: (executors) => async () => {
      const own = await executors();
      const send: typeof own.send = async (request, client) => {
        requests += 1;
        await sleep(20);
        return own.send(request, client);
      };
      return { ...own, send };
    },
  });
  await expect(late).rejects.toThrow(/unreached the target is too slow: no story came to its end/);
  expect(requests).toBeGreaterThan(30);
  expect(performance.now() - started).toBeLessThan(60_000);
});

test("a story that ended at a wrong envelope can be replayed", () => {
  const seen = { what: "no error", where: "409" };
  const departure = { clause: "ERROR-ENVELOPE", expected: "error: a text", actual: "nothing with 409", seen } as const;
  const first = { story: [{ do: "pass", ms: 1 }], answers: [[]], departure, exchange: undefined } as const;
  const { finding } = storyFailure("PROPERTY-STATES", { run: 0, first }, 1, { profile: "spec", target: "mine" });
  expect(checkReplay(finding.story?.replay, "the story")).toMatchObject({
    clause: "ERROR-ENVELOPE",
    actual: "nothing with 409",
  });
});

test("a property that met nothing of what it is about has judged nothing", async () => {
  const shortfall = vi.spyOn(propertyOf("PROPERTY-NOT-STORED") as Required<Property>, "shortfall");
  onTestFinished(() => shortfall.mockRestore());
  shortfall.mockReturnValue("nothing was met");
  await expect(searched({}, "PROPERTY-NOT-STORED")).rejects.toThrow("unreached nothing was met");
  expect(shortfall).toHaveBeenCalledWith(new Set(["what could not be stored"]));
});
