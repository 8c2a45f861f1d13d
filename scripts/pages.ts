/**
 * `npm run pages`: writes the pages and files that are made from the sources, and names those that it changed.
 * It drops no id that stood in a list of ids, unless the id is retired below: baselines and target files name ids.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { z } from "zod";
import { cases } from "../conformance/catalogue.ts";
import { retired } from "../conformance/harness/retired-cases.ts";
import { commands } from "../conformance/cli/commands.ts";
import { ledger } from "../conformance/interface/clauses/index.ts";
import { sections } from "../conformance/interface/sections.ts";
import { gapIds, profileSchema } from "../conformance/interface/gaps.ts";
import { readProfile } from "../conformance/interface/profile.ts";
import { proofPage } from "../conformance/proof/proof.ts";
import { baselineSchema } from "../conformance/report/baseline/baseline.ts";
import { reportSchema } from "../conformance/report/report.ts";
import { replaySchema } from "../conformance/story/replay-file.ts";
import { targetSchema } from "../conformance/targets/target-file.ts";
import { catalogue } from "../fixtures/catalogue/index.ts";
import { fixtureSchema } from "../fixtures/schema.ts";

/** Ids of cases that are gone, never to be used again. CHANGELOG.md says why. */
const retiredIds: readonly string[] = Object.values(retired).flat();

const root = join(import.meta.dirname, "..");

/** Each file, by its path from the root, with what makes its text. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  "conformance/catalogue.ids.txt": () => idList(cases),
  "fixtures/catalogue/ids.txt": async () => idList(catalogue(await readProfile("reference", "."))),
  "docs/CLAUSES.md": () => markdown(clausesPage()),
  "docs/COMMANDS.md": async () => markdown(await commandsPage()),
  "docs/PROOF.md": proofPage,
  // `input`: what a person writes, defaults left out.
  "conformance/schema/baseline.json": () => schema("baseline", baselineSchema, "input"),
  "conformance/schema/fixture.json": () => schema("fixture", fixtureSchema, "output"),
  "conformance/schema/profile.json": () => schema("profile", profileSchema, "input"),
  "conformance/schema/replay.json": () => schema("replay", replaySchema, "input"),
  "conformance/schema/report.json": () => schema("report", reportSchema, "output"),
  "conformance/schema/target.json": () => schema("target", targetSchema, "input"),
};

const markdown = (text: string): Promise<string> =>
  format(text, { parser: "markdown", printWidth: 120, proseWrap: "always" });

function schema(name: string, of: z.ZodType, io: "input" | "output"): string {
  const described = { title: `webhooks-conformance ${name}`, ...z.toJSONSchema(of, { io }) };
  return `${JSON.stringify(described, null, 2)}\n`;
}

function idList(items: readonly { readonly id: string }[]): string {
  return `${items
    .map(({ id }) => id)
    .toSorted()
    .join("\n")}\n`;
}

function clausesPage(): string {
  const clauses = Object.entries(ledger);
  const parts = Object.entries(sections).flatMap(([number, title]) => [
    `## Section ${number}: ${title}`,
    ...clauses.flatMap(([id, { section, level, text, excluded }]) => {
      if (section !== Number(number)) return [];
      const judges = cases.filter((item) => (item.clauses as readonly string[]).includes(id));
      const listed = judges.map((item) => `\`${item.id}\``).join(", ");
      return [`### ${id}`, `${level}: ${text}`, excluded === undefined ? `Cases: ${listed}.` : `No case: ${excluded}`];
    }),
  ]);
  return [
    "# The clauses and their cases",
    "Every rule of the interface, by the section that states it, with its level, the cases that judge it, or the reason why " +
      "no case can. `must`: the interface states it. `should`: it follows for safe operation. `gap`: the interface leaves " +
      "it open, and only a profile binds it.",
    "```sh\nwebhooks-conformance explain CASE   # one case: its clause, how it was read, what else is lawful\n```",
    `${clauses.length} clauses, ${cases.length} cases, ${gapIds.length} gaps that a profile can bind.`,
    ...parts,
  ].join("\n\n");
}

async function commandsPage(): Promise<string> {
  const named = Object.entries(commands).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const parts = await Promise.all(
    named.map(async ([name, { summary, help }]) => [
      `## ${name}`,
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
      `\`\`\`text\n${(await help()).usage}\n\`\`\``,
    ]),
  );
  return [
    "# Commands",
    "What `webhooks-conformance COMMAND --help` prints, command by command.",
    "```sh\nwebhooks-conformance --help       # all commands and exit codes\nwebhooks-conformance help run     # one command\n```",
    ...parts.flat(),
  ].join("\n\n");
}

/** Ids that stood in a list and do not in the new one, without being retired. */
export function lostIds(before: string, after: string, retired: readonly string[] = retiredIds): string[] {
  const kept = new Set([...after.split("\n"), ...retired]);
  return before.split("\n").filter((id) => !kept.has(id));
}

async function main(): Promise<void> {
  for (const [path, make] of Object.entries(pages)) {
    const [file, text] = [join(root, path), await make()];
    const before = existsSync(file) ? readFileSync(file, "utf8") : "";
    const lost = path.endsWith("ids.txt") ? lostIds(before, text) : [];
    if (lost.length > 0) {
      process.stderr.write(
        `${path} was not written: it would lose ${lost.join(", ")}.\n` +
          "Baselines and target files name ids: bring them back, or list them in conformance/harness/retired-cases.ts.\n",
      );
      process.exitCode = 1;
    } else if (text !== before) {
      writeFileSync(file, text);
      process.stdout.write(`${path} written\n`);
    }
  }
}

if (process.argv[1] === import.meta.filename) await main();
