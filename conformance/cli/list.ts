import { cases } from "../catalogue.ts";
import { print } from "./print.ts";
import { readOptions, type Command } from "./command.ts";

export const command: Command = {
  summary: "list the cases",
  usage: "usage: webhooks-conformance list\nA line per case: id, level, title.",
  async run(args) {
    readOptions("list", args, {});
    const width = Math.max(...cases.map(({ id }) => id.length));
    for (const { id, level, title } of cases) print(`${id.padEnd(width)}  ${level.padEnd(6)}  ${title}\n`);
    return 0;
  },
};
