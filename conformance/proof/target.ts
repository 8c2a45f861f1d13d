/** The target file of subjects: like examples/embedded.json, with another start command. */
import { fileURLToPath } from "node:url";
import { checkTarget, type Target } from "../targets/target-file.ts";

const CONTROL = "http://127.0.0.1:{controlPort}";

/** `command`: how it is started; `more`: fields that differ. */
export function embedded(name: string, command: readonly string[], more: Record<string, unknown> = {}) {
  return {
    name,
    profile: "reference",
    start: { command, cwd: ".", readyTimeoutMs: 15_000, stopTimeoutMs: 3000 },
    control: CONTROL,
    config: {
      merge: {
        secrets: {
          file: { dir: "{stateDir}/secrets" },
          // `cat` instead of a node process, which would take longer than the rest of the start.
          exec: { command: ["cat"] },
          store: { path: "{stateDir}/store.json" },
        },
      },
    },
    secretSources: {
      file: { file: "{stateDir}/secrets/{id}" },
      exec: { file: "{stateDir}/{id}" },
      store: { json: "{stateDir}/store.json" },
    },
    ...more,
  };
}

const folder = fileURLToPath(new URL(".", import.meta.url));
const ports = ["--port", "{port}", "--control-port", "{controlPort}"];

/** A subject as a child process. */
export function servedTarget(id: string): Target {
  const serve = ["node", "--import", "tsx", "serve.ts", "--subject", id, "--config", "{config}", ...ports];
  return checkTarget(embedded(id, serve), folder, id);
}
