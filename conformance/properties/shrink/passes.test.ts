import { expect, test } from "vitest";
import { departure } from "../../harness/finding.ts";
import type { Broken } from "../../oracle/told.ts";
import { makeSmaller } from "./passes.ts";
import type { SendStep, Step, Story } from "../../story/story.ts";

const create = (as: string): SendStep => ({
  do: "send",
  route: "route",
  as,
  body: { action: "create_flow", goal: "g" },
});
const on = (name: string, action: string, more: Record<string, string> = {}): SendStep => ({
  do: "send",
  route: "sibling",
  body: { action, flowId: { $flow: name }, ...more },
});
const actionOf = (step: Step) => (step.do === "send" ? step.body?.["action"] : undefined);

/** A target that fails at the third resume of one flow. */
async function play(story: Story): Promise<Broken | undefined> {
  const resumed = new Map<string, number>();
  for (const [index, step] of story.entries()) {
    if (actionOf(step) !== "resume_flow" || step.do !== "send") continue;
    const name = JSON.stringify(step.body?.["flowId"]);
    resumed.set(name, (resumed.get(name) ?? 0) + 1);
    if (resumed.get(name) !== 3) continue;
    const until = story.slice(0, index + 1);
    return {
      story: until,
      answers: until.map(() => [{ answer: "200 ok:true" }]),
      exchange: undefined,
      departure: departure("STATE-RESUME", "a", "b"),
    };
  }
  return undefined;
}

const noise = Array.from({ length: 30 }, (_, index) =>
  on(`f${(index % 3) + 1}`, index % 2 === 0 ? "get_flow" : "set_waiting"),
);
const long: Step[] = [
  ...["f1", "f2", "f3"].map(create),
  ...noise,
  on("f2", "resume_flow"),
  on("f1", "resume_flow"),
  ...noise,
  on("f2", "resume_flow", { note: "a long text" }),
  ...noise,
  on("f2", "resume_flow"),
  ...noise,
];

test("what is left are the requests that it takes, in their simplest form", async () => {
  const first = await play(long);
  if (first === undefined) throw new Error("the long story does not break");
  const { broken, cutShort, plays } = await makeSmaller(first, { play, maxPlays: 1000, stop: () => false });
  expect(broken.story.map(actionOf)).toEqual(["create_flow", "resume_flow", "resume_flow", "resume_flow"]);
  expect(broken.story.slice(1)).toEqual(
    Array.from({ length: 3 }, () => ({ ...on("f2", "resume_flow"), route: "route" })),
  );
  expect(cutShort).toBe(false);
  expect(plays).toBeLessThan(200);
});

test("a time that is up leaves what was found so far", async () => {
  const first = await play([create("f2"), ...noise, ...Array.from({ length: 3 }, () => on("f2", "resume_flow"))]);
  if (first === undefined) throw new Error("the long story does not break");
  const { broken, cutShort } = await makeSmaller(first, { play, maxPlays: 2, stop: () => false });
  expect(cutShort).toBe(true);
  expect(await play(broken.story)).toBeDefined();
});

const change = (action: string, route: SendStep["route"]): SendStep => ({
  do: "send",
  route,
  body: { action, flowId: { $flow: "f1" }, expectedRevision: { $revision: "f1", at: "current" } },
});

/** A target that fails when two ends of a flow overlap. */
async function playBurst(story: Story): Promise<Broken | undefined> {
  const actions = story.flatMap((step) => (step.do === "together" ? step.sends.map(actionOf) : []));
  if (!actions.includes("fail_flow") || !actions.includes("finish_flow")) return undefined;
  const answers = story.map(() => []);
  return { story, answers, exchange: undefined, departure: departure("REVISION-STALE", "a", "b") };
}

test("of a burst the two changes are left that show it at once, by the usual route", async () => {
  const actions = ["set_waiting", "fail_flow", "resume_flow", "finish_flow"];
  const sends = actions.map((action) => change(action, "sibling"));
  const first = await playBurst([create("f1"), { do: "together", sends, width: 2 }]);
  if (first === undefined) throw new Error("the burst does not break");
  const { broken } = await makeSmaller(first, { play: playBurst, maxPlays: 100, stop: () => false });
  const left = ["fail_flow", "finish_flow"].map((action) => change(action, "route"));
  expect(broken.story.at(-1)).toEqual({ do: "together", sends: left });
});
