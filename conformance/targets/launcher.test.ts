import { expect, test } from "vitest";
import { launcherOf } from "./launcher.ts";
import type { LaunchInput } from "./launch.ts";
import { checkTarget } from "./target-file.ts";

test.each([
  ["http://localhost:8080", "http://127.0.0.1:8080"],
  ["http://127.0.0.2:8080", "http://127.0.0.2:8080"],
  ["http://gateway.example", "http://gateway.example"],
])("a target that runs on %s is spoken to at %s", async (baseUrl, origin) => {
  const launch = launcherOf(checkTarget({ name: "mine", baseUrl }, ".", "the test's target"));
  expect(await launch({} as LaunchInput)).toMatchObject({ origin, ending: undefined });
});
