import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { withFolder } from "../test-support/gateway.test-support.ts";
import { newStateFolder, removeStateFolder, sweepStateFolders } from "./state-folder.ts";

afterEach(() => vi.unstubAllEnvs());

/** A process that has ended, so that its pid is nobody's. */
async function gonePid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

test("a folder is for this user alone, and its process can be told from its name", async () => {
  await withFolder(async (base) => {
    vi.stubEnv("TMPDIR", base);
    const folder = await newStateFolder();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(basename(folder)).toMatch(new RegExp(`^webhooks-conformance-${process.pid}-\\d+-[0-9a-f]{8}-\\w{6}$`));
    await sweepStateFolders();
    expect(await readdir(base)).toEqual([basename(folder)]);
    await removeStateFolder(folder);
    expect(await readdir(base)).toEqual([]);
  });
});

const name = (owner: number | string, since: string, where: string, end: string) =>
  `webhooks-conformance-${owner}-${since}-${where}-${end}`;

test.skipIf(process.platform !== "linux")(
  "the folders of processes that are gone are swept, no other, and no link is followed",
  async () => {
    await withFolder(async (base) => {
      vi.stubEnv("TMPDIR", base);
      const living = basename(await newStateFolder());
      const [, pid = "", start = "", place = ""] = /-(\d+)-(\d+)-([0-9a-f]+)-\w+$/.exec(living) ?? [];
      const gone = await gonePid();
      const kept = [
        name(gone, start, "00000000", "other1"),
        `webhooks-conformance-${gone}`,
        "webhooks-conformance-AbCdEf",
        `elsewhere-${gone}-${start}-${place}-aaaaaa`,
      ];
      const abandoned = [name(gone, start, place, "gone01"), name(pid, `${start}1`, place, "again1")];
      for (const folder of [...kept, ...abandoned]) await mkdir(join(base, folder));
      await writeFile(join(base, "kept.txt"), "kept");
      await mkdir(join(base, "outside"));
      await writeFile(join(base, "outside", "kept.txt"), "kept");
      await symlink(join(base, "outside"), join(base, name(gone, start, place, "linked")));
      await symlink(join(base, "outside"), join(base, abandoned[0] ?? "", "inside"));
      await writeFile(join(base, name(gone, start, place, "afile1")), "kept");
      await utimes(join(base, abandoned[0] ?? ""), 0, 0);
      await sweepStateFolders();
      const left = [
        ...kept,
        living,
        "kept.txt",
        "outside",
        name(gone, start, place, "linked"),
        name(gone, start, place, "afile1"),
      ];
      expect((await readdir(base)).toSorted()).toEqual(left.toSorted());
      expect(await readFile(join(base, "outside", "kept.txt"), "utf8")).toBe("kept");
      await removeStateFolder(join(base, living));
    });
  },
);
