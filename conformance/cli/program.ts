/** How this command line was called, so that a command that it prints works when it is pasted. */
import { relative } from "node:path";
import { shellWord } from "../http/replay-line.ts";

const NAME = "webhooks-conformance";

/** `npx webhooks-conformance` from a project's node_modules, `node dist/.../main.js` where that file was named. */
export function program(called = process.argv[1] ?? "", cwd = process.cwd()): string {
  const path = called.replaceAll("\\", "/");
  if (/\/node_modules\/(\.bin\/|webhooks-conformance\/)/.test(path)) return `npx ${NAME}`;
  if (!path.endsWith("/conformance/cli/main.js")) return NAME;
  const near = relative(cwd, called);
  return `node ${shellWord(near.startsWith("..") ? called : near)}`;
}
