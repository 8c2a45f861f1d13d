/** The pages' TypeScript, as a reader pastes it: it compiles under `strict` against the built types. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test } from "../conformance/test-support/consumer.test-support.ts";

const root = join(import.meta.dirname, "..");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];

/** A folder for each page, so that two pages may use one name. */
const programs = pages
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^ *```(?:ts|typescript)\b *(\S*)\n(.*?)^ *```$/gms)].map(
      ([, name, text = ""], index) => ({
        file: join(page.replace(/\W/g, "-"), name === "" || name === undefined ? `${index}.ts` : name),
        text,
      }),
    ),
  );

test("each block of TypeScript in the docs compiles as pasted", async ({ consumer: folder }) => {
  expect(programs.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["docs-LIBRARY-md/handler.ts", "docs-MAINTAINERS-md/plugin.ts"]),
  );
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const { file, text } of programs) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2023"];
  const files = programs.map(({ file }) => file);
  const { code, output } = await node(folder, tsc, ...options, "--types", "node", ...files);
  expect(output).toBe("");
  expect(code).toBe(0);
});
