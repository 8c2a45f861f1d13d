/** The target file of subjects: like examples/embedded.json, with another start command. */
import { ofGateway } from "../targets/plugin-target.ts";

/** `command`: how it is started; `more`: fields that differ. */
export function embedded(name: string, command: readonly string[], more: Record<string, unknown> = {}) {
  return {
    name,
    profile: "reference",
    start: { command, cwd: ".", readyTimeoutMs: 15_000, stopTimeoutMs: 3000 },
    ...ofGateway,
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
