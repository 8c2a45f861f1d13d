import { content } from "./content.ts";
import { controls } from "./control.ts";
import type { Hostile } from "./hostile.ts";
import { stalls, transport } from "./transport.ts";

/** Those of the other lists that cost a runner the most. */
const costly = [
  "sends its head at one byte a second",
  "sends its body at one byte a second",
  "sends 103 Early Hints without end",
  "sends a chunk extension without end",
  "keeps silent to everything from the first case on, after every start",
  "answers everything with a success that holds 50,000 flows",
  "accepts everything, with an id of a megabyte and a revision beyond every integer",
  "answers the first control call without end",
  "never answers when the clock is moved on",
  "gives log lines without end",
];

/** One for each way to keep a runner busy; all others are caught by the same bounds. */
export const representative = ({ id, does }: Hostile): boolean =>
  costly.includes(does) || stalls.some((subject) => subject.id === id);

export const hostile: readonly Hostile[] = [...stalls, ...transport, ...content, ...controls];
