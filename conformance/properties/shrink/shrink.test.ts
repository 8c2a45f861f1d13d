import { expect, test } from "vitest";
import { HarnessError } from "../../http/harness-error.ts";
import { shrink, type Replaying, type Shrunk } from "./shrink.ts";
import { departure } from "../../harness/finding.ts";
import type { Broken } from "../../oracle/told.ts";
import type { SendStep, Step, Story } from "../../story/story.ts";

const send = (action: string): SendStep => ({ do: "send", route: "route", body: { action } });
const noise = Array.from({ length: 20 }, () => send("list_flows"));
const story: Step[] = [...noise, send("finish_flow"), ...noise, send("get_flow")];
const isAlive = async () => true;
/** What the play before was answered, where nothing but the whole of it counts. */
const heard = () => [[{ answer: "200 ok:true" }], [{ answer: "200 ok:false" }]];
const request = { method: "POST", path: "/", headers: [], body: new Uint8Array() };
const answer = { status: 200, headers: new Map(), body: new Uint8Array() };

const brokenBy = (steps: Story, isSilent = false): Broken => ({
  story: steps,
  answers: steps.map(() => [{ answer: "200 ok:true" }]),
  departure: departure(isSilent ? "PATH-SERVED" : "STATE-FINISH", "a", "b"),
  exchange: { request, from: "127.1.0.1", ...(isSilent ? { fault: "connection refused" } : { answer }) },
});

interface Target extends Partial<Omit<Replaying, "replay">> {
  readonly play: (steps: Story, hasty?: boolean) => Promise<Broken | undefined>;
  readonly heard: () => Broken["answers"];
}

/** What is told of a story: it is confirmed, then shrunk. */
async function told(first: Broken, { play, heard, ...more }: Target): Promise<Shrunk> {
  return shrink(first, {
    replay: async (steps, hasty) => ({ broken: await play(steps, hasty), answers: heard() }),
    isAlive,
    ...more,
  });
}

const holdsTheChange = (steps: Story): boolean =>
  steps.some((step) => step.do === "send" && step.body?.["action"] === "finish_flow");

/** Broken by any story that still holds the change, for the first `lives` plays; silent from then on. */
function target(lives: number) {
  let plays = 0;
  return {
    heard,
    isAlive: async () => plays <= lives,
    play: async (steps: Story): Promise<Broken | undefined> => {
      plays += 1;
      if (plays > lives) return brokenBy(steps.slice(0, 1), true);
      return holdsTheChange(steps) ? brokenBy(steps) : undefined;
    },
  };
}

test("a target that answers otherwise the second time is not shrunk: both stories are given", async () => {
  const other = {
    ...brokenBy(story),
    answers: [[{ answer: "200 ok:true" }], [{ answer: "503 ok:false" }]],
    departure: departure("STATE-FAIL", "a", "c"),
  };
  const confirmed = await told(brokenBy(story), { play: async () => other, heard: () => other.answers });
  expect(confirmed).toEqual({ again: other.answers });
  const unbroken = await told(brokenBy(story), { play: async () => undefined, heard });
  expect(unbroken).toEqual({ again: heard() });
});

test("a run that is broken off leaves what it has", async () => {
  const abort = new AbortController();
  const { play } = target(1000);
  let plays = 0;
  const { shrunk, stopped } = await told(brokenBy(story), {
    heard,
    signal: abort.signal,
    play: async (steps) => {
      plays += 1;
      if (plays === 4) abort.abort();
      if (abort.signal.aborted) throw new Error("the case ran out of time");
      return play(steps);
    },
  });
  expect(stopped).toBe("the run was broken off");
  expect(shrunk?.departure.clause).toBe("STATE-FINISH");
});

test("a play that fails, whatever for, ends it: the story is told as far as it came", async () => {
  const { play } = target(1000);
  let plays = 0;
  const failing = async (steps: Story) => {
    plays += 1;
    if (plays === 4) throw new HarnessError("the control port does not answer");
    return play(steps);
  };
  const { shrunk, stopped } = await told(brokenBy(story), { play: failing, heard });
  expect(stopped).toBe("the control port does not answer");
  expect(shrunk?.departure.clause).toBe("STATE-FINISH");
  expect(shrunk?.story.length).toBeLessThan(story.length);
  const atOnce = told(brokenBy(story), { play: () => Promise.reject(new HarnessError("no more")), heard });
  expect(await atOnce).toEqual({ stopped: "no more" });
});

test("what breaks by chance and does not break again is told with its requests", async () => {
  const atOnce: Story = [{ do: "together", sends: [send("finish_flow"), send("fail_flow")] }];
  const confirmed = await told(brokenBy(atOnce), { play: async () => undefined, heard });
  expect(confirmed).toEqual({ stopped: "they did not break again" });
});

test("what breaks now and then only is not told as less than it was", async () => {
  let patient = 0;
  const play = async (steps: Story, isHasty = false) => {
    if (!isHasty) patient += 1;
    return patient < 2 ? brokenBy(steps) : undefined;
  };
  const { shrunk, stopped } = await told(brokenBy(story), { play, heard });
  expect(shrunk?.story).toEqual(story);
  expect(stopped).toBe("those that were tried did not break again");
});
