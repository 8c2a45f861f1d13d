/** The programs that a printed line needs: without them its tests are named as left out. */
import { spawnSync } from "node:child_process";

export const missing: readonly string[] = ["bash", "curl"].filter(
  (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0,
);

/** The tests' title, with what is missing. */
export const withBashAndCurl = ["with bash and curl", ...missing.map((name) => `no ${name}`)].join(", ");
