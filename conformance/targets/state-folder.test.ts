import { chmod, mkdir, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, vi } from "vitest";
import { leftBehind, newStateFolder, removeStateFolder } from "./state-folder.ts";
import { test as foldered } from "../test-support/folder.test-support.ts";

afterEach(() => vi.unstubAllEnvs());

const test = foldered.extend<{ base: string }>({
  base: async ({ folder }, use) => {
    vi.stubEnv("TMPDIR", folder);
    await use(folder);
  },
});

test("a folder is for this user alone, and goes with whatever is in it; no link is followed", async ({ base }) => {
  const folder = await newStateFolder();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await mkdir(join(base, "outside", "kept"), { recursive: true });
  await symlink(join(base, "outside"), join(folder, "link"));
  await mkdir(join(folder, "cache"));
  await writeFile(join(folder, "cache", "module"), "read only, as Go keeps its modules", { mode: 0o400 });
  await chmod(join(folder, "cache"), 0o500);
  await removeStateFolder(folder);
  expect(await readdir(base, { recursive: true })).toEqual(["outside", "outside/kept"]);
});

test("what cannot be removed is named, and every file that can be removed is gone", async ({ base }) => {
  const folder = await newStateFolder();
  await writeFile(join(folder, "config.json"), "secrets");
  // Each half has a path that the system takes, both together have none.
  const levels = Array.from({ length: 10 }, () => "n".repeat(250));
  await mkdir(join(folder, "half", ...levels), { recursive: true });
  await mkdir(join(folder, "whole", ...levels), { recursive: true });
  const [half, inside] = [join(folder, "half"), join(folder, "whole", ...levels, "half")];
  await rename(half, inside);
  await removeStateFolder(folder);
  expect(await readdir(folder)).toEqual(["whole"]);
  expect(leftBehind()).toEqual([`${folder} could not be removed: remove it by hand`]);
  await rename(inside, half);
  await removeStateFolder(folder);
  expect([await readdir(base), leftBehind()]).toEqual([[], []]);
});

test("a folder for temporary files that does not exist is the user's to name", async ({ base }) => {
  vi.stubEnv("TMPDIR", join(base, "absent"));
  await expect(newStateFolder()).rejects.toThrow(/^no folder for the files of the run can be made in .*absent: ENOENT/);
});
