import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createDrivenClock } from "../../../fakes/clock.ts";
import { createManagedFlows } from "../../../fakes/managed-flows.ts";
import { runtimeAnswers } from "./runtime-calls.ts";

test("the embedded runtime does what the observed one does, and no more", async () => {
  const observed = JSON.parse(await readFile(new URL("runtime.json", import.meta.url), "utf8")) as object;
  const { runtime, asyncRuntime } = createManagedFlows({ clock: createDrivenClock().clock });
  expect(await runtimeAnswers(runtime.bindSession, {})).toEqual(observed);
  expect(await runtimeAnswers(asyncRuntime.bindSession, {})).toEqual(observed);
});
