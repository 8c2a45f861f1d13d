/** The target file of subjects: like examples/embedded.json, with another start command. */
/** `command`: how it is started; `more`: fields that differ. */
export function embedded(name: string, command: readonly string[], more: Record<string, unknown> = {}) {
  return {
    name,
    profile: "reference",
    start: { command, cwd: ".", readyTimeoutMs: 15_000, stopTimeoutMs: 3000 },
    control: "http://127.0.0.1:{controlPort}",
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

/** A subject as a child process. */
export function servedTarget(id: string, name = id) {
  const ports = ["--port", "{port}", "--control-port", "{controlPort}"];
  const serve = ["node", "--import", "tsx", "serve.ts", "--subject", id, "--config", "{config}", ...ports];
  const { start, ...target } = embedded(name, serve);
  return { ...target, start: { ...start, cwd: import.meta.dirname } };
}
