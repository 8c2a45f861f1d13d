/** Section 4: readers that take more than JSON, or less. */
import type { Change, Subject } from "../../subject.ts";
import { alsoParses } from "./body.ts";
import { rereads } from "./odd-bodies.ts";

const taken = (id: string, what: string, mended: (text: string) => string): Subject => ({
  id: `json-${id}`,
  bug: `${what} are taken for JSON.`,
  kills: ["BODY-JSON-GRAMMAR"],
  change: alsoParses((text) => {
    const json = mended(text);
    if (json === text) throw new SyntaxError("nothing to mend");
    return JSON.parse(json);
  }),
});

/** A reader whose table of escapes has no solidus. */
const withoutSolidus: Change = rereads((bytes) => (bytes.includes(String.raw`\/`) ? Buffer.from("{") : bytes));

export const jsonGrammar: readonly Subject[] = [
  taken("comments", "Comments", (text) => text.replaceAll(/\/\*.*?\*\/|\/\/.*\n/g, "")),
  taken("single-quotes", "Texts in single quotes", (text) => (text.includes('"') ? text : text.replaceAll("'", '"'))),
  taken("last-commas", "Commas behind the last member", (text) => text.replaceAll(/,(?=[}\]])/g, "")),
  taken("nan", "NaN and Infinity", (text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "null")),
  taken("line-breaks", "Line breaks in texts", (text) => text.replaceAll("\n", String.raw`\n`)),
  {
    id: "json-solidus",
    bug: "The escape of a solidus is refused.",
    kills: ["BODY-JSON-GRAMMAR"],
    change: withoutSolidus,
  },
];
