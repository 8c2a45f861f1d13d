import { afterEach, expect, test, vi } from "vitest";
import { hasColour, isTerminal, program } from "./print.ts";

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

test("no line is rewritten on a dumb terminal", () => {
  vi.stubEnv("TERM", "dumb");
  expect(isTerminal({ isTTY: true })).toBe(false);
});

test.each([
  ["/home/me/project/node_modules/.bin/webhooks-conformance", "npx webhooks-conformance"],
  ["/home/me/.npm/_npx/0a/node_modules/.bin/webhooks-conformance", "npx webhooks-conformance"],
  ["C:\\me\\node_modules\\webhooks-conformance\\dist\\conformance\\cli\\main.js", "npx webhooks-conformance"],
  ["/usr/local/bin/webhooks-conformance", "webhooks-conformance"],
  ["/home/me/kit/dist/conformance/cli/main.js", "node dist/conformance/cli/main.js"],
  ["/else where/dist/conformance/cli/main.js", "node '/else where/dist/conformance/cli/main.js'"],
  ["/home/me/kit/node_modules/vitest/vitest.mjs", "webhooks-conformance"],
])("called as %s, it tells people to run %s", (called, command) => {
  expect(program(called, "/home/me/kit")).toBe(command);
});
