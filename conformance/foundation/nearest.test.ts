import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const names = ["AUTH-BEARER", "AUTH-WRONG", "METHOD-PUT"];

test("names near to a word are those that begin with it, or differ in a third at most", () => {
  expect(nearest("auth-bearr", names)).toEqual(["AUTH-BEARER"]);
  expect(nearest("AUTH", names)).toEqual(["AUTH-BEARER", "AUTH-WRONG"]);
  expect(nearest("AUTH-BEARERING", names)).toEqual(["AUTH-BEARER"]);
  expect(nearest("AUTH-BEARER-AND-MORE", names)).toEqual([]);
});

test("a word of a million characters is near to nothing, and that is known at once", () => {
  const before = process.cpuUsage().user;
  expect(nearest("A".repeat(1_000_000), Array(300).fill("AUTH-BEARER"))).toEqual([]);
  // Each name was compared with all of it: half a minute.
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(500);
});
