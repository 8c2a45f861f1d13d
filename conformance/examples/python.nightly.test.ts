/** The Python example against a few quick cases of each kind; `npm run conformance:python` runs the whole suite. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli } from "../test-support/cli.test-support.ts";

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const why = hasPython ? "" : " (SKIPPED: there is no python3 of 3.9 or later here)";

const chosen = [
  "METHOD-PUT",
  "REQUEST-RIGHT",
  "RATE-121-REFUSED",
  "IN-FLIGHT-9-REFUSED",
  "REQUEST-SECRET",
  "BODY-413-DELIVERED",
  "ALWAYS-ENVELOPE",
  "REVISION-RACE",
  "RUN-TASK-STATUSES",
  "SESSION-FOREIGN-CHANGES",
  "SECRET-EXEC",
  "STATES-CANCEL-CHILDREN",
];

test.skipIf(!hasPython)(`the Python example passes a case of every kind${why}`, async () => {
  const target = join(import.meta.dirname, "python", "target.json");
  const { code, stdout, stderr } = await cli("run", "--target", target, ...chosen.flatMap((id) => ["--case", id]));
  expect(stdout, stderr).toContain(`: ${chosen.length} pass\n`);
  expect(stdout).toMatch(/\npartial run: CONFORMANT with profile spec \(exit 0\)\n$/);
  expect(code).toBe(0);
});
