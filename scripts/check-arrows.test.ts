import { expect, test } from "vitest";
import { forbiddenImports } from "./check-arrows.ts";

test("no import crosses the rooms the wrong way", () => {
  expect(forbiddenImports()).toEqual([]);
});
