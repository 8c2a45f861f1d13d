/** Tests that get what they ask for as they begin, and leave nothing of it behind. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as plain } from "vitest";

interface Places {
  /** A folder for one test, removed afterwards. */
  readonly folder: string;
  /** Writes these values there as JSON files, and gives the path of each name. */
  readonly files: (values: Readonly<Record<string, unknown>>) => Promise<(name: string) => string>;
}

export const test = plain.extend<Places>({
  // oxlint-disable-next-line no-empty-pattern
  folder: async ({}, use) => withFolder(use),
  files: async ({ folder }, use) =>
    use(async (values) => {
      const at = (name: string) => join(folder, name);
      for (const [name, value] of Object.entries(values)) await writeFile(at(name), JSON.stringify(value));
      return at;
    }),
});

/** For what is no test: a folder that is removed when `use` has ended. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-test-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
