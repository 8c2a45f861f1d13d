import { cases } from "../catalogue.ts";
import type { Case } from "../harness/case.ts";
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
    else print(`${linesOf(cases).join("\n")}\n`);
    return 0;
  },
};

/** Id, level, requests and title of each case, in columns. */
export function linesOf(listed: readonly Case[]): string[] {
  const width = Math.max(...listed.map(({ id }) => id.length));
  return listed.map(({ id, level, since, title }) => {
    const requests = String(requestCounts[id] ?? "?").padStart(5);
    const about = since === undefined ? title : `${title} (${newSince(since)})`;
    return `${id.padEnd(width)}  ${level.padEnd(6)}  ${requests}  ${about}`;
  });
}
