import { expect, test } from "vitest";
import { confirm } from "./confirm.ts";
import { finding } from "./finding.ts";
import type { Broken } from "./player.ts";
import type { SendStep, Step, Story } from "./story.ts";

const send = (action: string): SendStep => ({ do: "send", route: "route", body: { action } });
const noise = Array.from({ length: 20 }, () => send("list_flows"));
const story: Step[] = [...noise, send("finish_flow"), ...noise, send("get_flow")];
const plain: Story = [send("find_latest_flow")];
const request = { method: "POST", path: "/", headers: [], body: new Uint8Array() };
const answer = { status: 200, headers: new Map(), body: new Uint8Array() };

const brokenBy = (steps: Story, isSilent = false): Broken => ({
  story: steps,
  answers: steps.map(() => "200 ok:true"),
  finding: finding(isSilent ? "PATH-SERVED" : "STATE-FINISH", "a", "b"),
  exchange: { request, from: "127.1.0.1", ...(isSilent ? { fault: "connection refused" } : { answer }) },
});

/** Broken by any story that still holds the change, for the first `lives` plays; silent from then on. */
function target(lives: number): (steps: Story) => Promise<Broken | undefined> {
  let plays = 0;
  return async (steps) => {
    plays += 1;
    if (plays > lives) return brokenBy(steps.slice(0, 1), true);
    const holds = steps.some((step) => step.do === "send" && step.body?.["action"] === "finish_flow");
    return holds ? brokenBy(steps) : undefined;
  };
}

test("a target that does the same again is made small", async () => {
  const { shrunk, again, stopped } = await confirm(brokenBy(story), { play: target(1000), plain });
  expect(shrunk?.broken.story).toHaveLength(2);
  expect({ again, stopped }).toEqual({ again: undefined, stopped: undefined });
});

test("a target that answers otherwise the second time is not shrunk: both stories are given", async () => {
  const other = {
    ...brokenBy(story),
    answers: ["200 ok:true", "503 ok:false"],
    finding: finding("STATE-FAIL", "a", "c"),
  };
  const confirmed = await confirm(brokenBy(story), { play: async () => other, plain });
  expect(confirmed).toEqual({ again: other.answers });
  expect(await confirm(brokenBy(story), { play: async () => undefined, plain })).toEqual({ again: [] });
});

test("a target that dies while its story is made smaller leaves the story as far as it came", async () => {
  const { shrunk, stopped } = await confirm(brokenBy(story), { play: target(3), plain });
  expect(stopped).toBe("the target no longer answers");
  expect(shrunk?.broken.finding.clause).toBe("STATE-FINISH");
  expect(shrunk?.broken.story.length).toBeLessThan(story.length);
  expect(shrunk?.broken.story).toContainEqual(send("finish_flow"));
});

test("a story that ends its target is not shrunk to any request that a dead target does not answer", async () => {
  expect(await confirm(brokenBy(story, true), { play: target(0), plain })).toEqual({
    stopped: "the target no longer answers",
  });
});

test("a run that is broken off leaves what it has", async () => {
  const abort = new AbortController();
  const play = target(1000);
  let plays = 0;
  const { shrunk, stopped } = await confirm(brokenBy(story), {
    plain,
    signal: abort.signal,
    play: async (steps) => {
      plays += 1;
      if (plays === 4) abort.abort();
      if (abort.signal.aborted) throw new Error("the case ran out of time");
      return play(steps);
    },
  });
  expect(stopped).toBe("the run was broken off");
  expect(shrunk?.broken.finding.clause).toBe("STATE-FINISH");
});
