import { cases } from "../catalogue.ts";
import { newSince } from "../harness/new-case.ts";
import { described } from "./described.ts";
import { print, styled } from "./print.ts";
import { readOptions, type Command } from "./command.ts";
import { requestCounts } from "./request-counts.ts";
import { safeJson } from "../foundation/safe-text.ts";

export const options = { json: { type: "boolean", default: false } } as const;

export const command: Command = {
  async run(args) {
    const { values } = readOptions("list", args, options);
    if (values.json) styled.print(`${safeJson(cases.map(described))}\n`);
    else {
      const width = Math.max(...cases.map(({ id }) => id.length));
      for (const { id, level, since, title } of cases) {
        const requests = String(requestCounts[id] ?? "?").padStart(5);
        const about = since === undefined ? title : `${title} (${newSince(since)})`;
        print(`${id.padEnd(width)}  ${level.padEnd(6)}  ${requests}  ${about}
`);
      }
    }
    return 0;
  },
};
