/** docs/MAINTAINERS.md from the plugin to the first run: as a reader follows it. */
import { readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withProject } from "./ci-steps.test-support.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs", "MAINTAINERS.md"), "utf8");
const named = (name: string) => page.split(` ${name}\n`)[1]?.split("```")[0] ?? "";
const commands = [...page.matchAll(/^ *(npx webhooks-conformance .*)$/gm)].map(([, line = ""]) => line);
const shown = page.split("shortened:\n\n```\n")[1]?.split("```")[0]?.trimEnd().split("\n") ?? [];

test("the plugin compiles, and its first run prints what the page shows", async () => {
  await withProject({}, async ({ folder, run }) => {
    await symlink(root, join(folder, "node_modules", "webhooks-conformance"));
    await symlink(join(root, "node_modules/@types"), join(folder, "node_modules", "@types"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "plugin.ts"), named("plugin.ts"));
    const tsc = `node '${join(root, "node_modules/typescript/bin/tsc")}'`;
    const compiled = await run(`${tsc} --module nodenext --target es2023 --types node --skipLibCheck plugin.ts`);
    expect(compiled).toEqual({ code: 0, log: "" });

    const doctor = await run(commands.find((line) => line.includes(" doctor ")) ?? "");
    expect(doctor.log).toMatch(/^ready: /m);
    expect(doctor.log).not.toContain("could not be judged");
    expect(doctor.code).toBe(0);

    const { code, log } = await run(commands.find((line) => line.includes("METHOD-PUT")) ?? "");
    expect(shown.length).toBeGreaterThan(5);
    for (const line of shown.filter((text) => text !== "..."))
      expect(log.replaceAll(/[\d.]+ s:/g, "... s:")).toContain(line);
    expect(code).toBe(1);
  });
});
