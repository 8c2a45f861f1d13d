/** The target file of subjects: like targets/embedded.json, with another start command. */

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
          // A shell would do; a node process costs more than everything else that a start does.
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
