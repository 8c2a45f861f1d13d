import { expect, test } from "vitest";
import { program } from "./program.ts";

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
