import { expect, test } from "vitest";
import { everyCell } from "./cells.ts";
import type { Trial } from "./trial.ts";

test("a cell whose names every object has is counted like any other", () => {
  const trial = { visits: undefined } as unknown as Trial;
  everyCell(trial, ["toString"], ["constructor"])("toString", "constructor");
  expect(JSON.stringify(trial.visits)).toBe('{"toString":{"constructor":1}}');
});
