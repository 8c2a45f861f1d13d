/** Keys that are pressed while a command goes on, as in vitest. Without a terminal there are none. */
import { createInterface } from "node:readline/promises";

export type Keys = ReturnType<typeof keysOf>;

const CTRL_C = "\u0003";

/** Calls `onKey` with each character that is typed. A terminal in raw mode sends no signal for Ctrl-C: this does. */
export function keysOf(stdin: NodeJS.ReadStream, onKey: (key: string) => void) {
  if (!stdin.isTTY) return { ask: async (_question: string) => "", close: () => {} };
  const listen = (data: Buffer | string) => {
    const key = String(data);
    if (key === CTRL_C) process.kill(process.pid, "SIGINT");
    else onKey(key);
  };
  const open = () => {
    stdin.setRawMode(true);
    stdin.on("data", listen).resume();
  };
  const close = () => {
    stdin.off("data", listen).pause();
    stdin.setRawMode(false);
  };
  open();
  return {
    /** Asks for a line of text; single keys have no effect until it is given. */
    async ask(question: string) {
      close();
      const lines = createInterface({ input: stdin, output: process.stdout });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
        open();
      }
    },
    close,
  };
}
