import type { ControlCapability } from "../targets/control.ts";

export type Capability = ControlCapability | "restart" | "addresses" | "secret-file" | "secret-exec" | "secret-store";

export const capabilities: Readonly<Record<Capability, string>> = {
  restart: "a start command, so that the kit can start the target with another configuration",
  addresses: "client sockets bound to loopback addresses of their own",
  clock: "a control port that drives the clock",
  children: "a control port that ends child tasks",
  persistence: "a control port that makes persistence fail",
  sessions: "a control port that stores flows in any session",
  logs: "a control port that gives the target's log",
  snapshot: "a control port that has the running target take a new snapshot of its configuration",
  reload: "a control port that has the running target load another configuration, as a start would",
  "secret-file": "SecretRefs of source file (secretSources.file in the target file)",
  "secret-exec": "SecretRefs of source exec (secretSources.exec in the target file)",
  "secret-store": "SecretRefs of source store (secretSources.store in the target file)",
};
