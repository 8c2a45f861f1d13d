/** Every hostile target. */
import { content } from "./content.ts";
import { controls } from "./control.ts";
import type { Hostile } from "./hostile.ts";
import { stalls } from "./stalls.ts";
import { transport } from "./transport.ts";

/** Those of the other lists that cost a runner the most. */
const costly = [
  "byte-a-second",
  "body-byte-a-second",
  "hints-flood",
  "chunk-extension-endless",
  "silence-for-good",
  "flows-many",
  "ids-huge",
  "control-endless",
  "advance-silent",
  "logs-endless",
];

/** One for each way to keep a runner busy; all others are caught by the same bounds. */
export const representative = ({ id }: Hostile): boolean =>
  costly.includes(id) || stalls.some((subject) => subject.id === id);

export const hostile: readonly Hostile[] = [...stalls, ...transport, ...content, ...controls];
