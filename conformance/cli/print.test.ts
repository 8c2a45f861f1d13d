import { afterEach, expect, test, vi } from "vitest";
import { hasColour } from "./print.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["a terminal", { isTTY: true }, {}, true],
  ["a log", {}, {}, false],
  ["a terminal with NO_COLOR", { isTTY: true }, { NO_COLOR: "1" }, false],
  ["a terminal with an empty NO_COLOR, which is none", { isTTY: true }, { NO_COLOR: "" }, true],
  ["a dumb terminal", { isTTY: true }, { TERM: "dumb" }, false],
])("%s has colour: %s", (_, stream, env, colour) => {
  for (const [name, value] of Object.entries({ NO_COLOR: "", TERM: "xterm", ...env })) vi.stubEnv(name, value);
  expect(hasColour(stream)).toBe(colour);
});
