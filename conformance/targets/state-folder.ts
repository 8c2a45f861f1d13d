/**
 * Folders for the files of a run, which hold secrets: for this user alone, gone with the process that made them or, where
 * that was killed, at the start of the next one. A folder's name says which process that is.
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "webhooks-conformance-";
const own = new Set<string>();

// However the process ends, if it can still do something.
process.on("exit", () => {
  for (const folder of own) rmSync(folder, { recursive: true, force: true });
});

let swept: Promise<void> | undefined;

/** A new, empty folder with mode 0700. The first one of a process sweeps those of processes that were killed. */
export async function newStateFolder(): Promise<string> {
  await (swept ??= sweepStateFolders());
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${ownerOf(process.pid)}-`));
  own.add(folder);
  return folder;
}

export async function removeStateFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  own.delete(folder);
}

/** Removes the folders of this user whose process is gone; whatever else has such a name stays as it is. */
export async function sweepStateFolders(): Promise<void> {
  const base = tmpdir();
  const names = await readdir(base).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
    const folder = join(base, name);
    // No link is followed: neither this one, nor any inside.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    if (isAbandoned(name)) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** `<pid>-<when it started>-<where>`: a pid is used again, and means another process in another container. */
function ownerOf(pid: number): string {
  return `${pid}-${startOf(pid) ?? 0}-${place()}`;
}

function isAbandoned(name: string): boolean {
  const [, pid, start, where] = /^(\d+)-(\d+)-([0-9a-f]+)-\w+$/.exec(name.slice(PREFIX.length)) ?? [];
  // Nothing can be said of the processes of another machine, start or container that shares this folder.
  if (pid === undefined || where !== place()) return false;
  if (!isRunning(Number(pid))) return true;
  const now = startOf(Number(pid));
  return start !== "0" && now !== undefined && now !== start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** When a process started, in clock ticks since the machine did; undefined where the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    // The second field is the program's name, which may hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1)?.trim().split(" ");
    return fields?.[19];
  } catch {
    return undefined;
  }
}

/** What the pids are the numbers of: this start of this machine, and the container. */
function place(): string {
  const known = [
    hostname(),
    () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
    () => readlinkSync("/proc/self/ns/pid"),
  ];
  const facts = known.map((fact) => {
    try {
      return typeof fact === "string" ? fact : fact();
    } catch {
      return "";
    }
  });
  return createHash("sha256").update(facts.join("\n")).digest("hex").slice(0, 8);
}
