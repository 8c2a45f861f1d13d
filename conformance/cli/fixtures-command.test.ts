import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { call } from "../test-support/cli.test-support.ts";
import { blocksOf } from "../../fixtures/generate/fixtures.ts";
import { blockText } from "../../fixtures/generate/stream.ts";
import { readProfile } from "../interface/profile.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { withFolder } from "../test-support/gateway.test-support.ts";
import { command } from "./fixtures.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

test.each([
  [["--format", "yaml"], '--format is "yaml", expected one of: ndjson, json, curl, http, har, postman, k6'],
  [["--action", "drop_flow"], '--action is "drop_flow", expected one of: create_flow, get_flow'],
  [["--tag", "huge"], '--tag is "huge", expected one of: valid, invalid, boundary'],
  [["--count", "ten"], '--count is "ten", expected a whole number from 1'],
  [["--count", "5", "--invalid", "2"], '--invalid is "2", expected a share from 0 to 1'],
  [["--seed", "4294967296", "--count", "1"], '--seed is "4294967296", expected at most 4294967295'],
  [["--seed", "7"], "--seed is for random fixtures: give --count N as well"],
  [["--invalid", "0"], "--invalid is for random fixtures: give --count N as well"],
  [["--workers", "2"], "--workers is for random fixtures: give --count N as well"],
  [["--count", "5", "--workers", "2", "--format", "k6"], "--workers is for --format ndjson, not for k6"],
  [["--route", "demo=qa"], '--route is "demo=qa": expected a path that begins with "/"'],
  [["--route", "demo="], "expected a path"],
  [["--route", "demo=/a?b"], "expected a path"],
  [["--route", "two words"], "expected a path"],
  [["--route", " =/qa"], '--route is " =/qa": expected ID, or ID=/path'],
  [["--route", "other"], "other is the route of another session"],
  [["--route", "qa=/plugins/webhooks/other"], "other is the route of another session"],
  [["--route", "a", "--route", "b", "--route", "a=/qa"], '--route is "a=/qa": given before'],
  [["--route", "a", "--route", "b=/plugins/webhooks/a"], "given before"],
  [
    ["--route", "a", "--route", "A"],
    '--route is "A": given before: expected ids and paths that differ, and not by case',
  ],
  [["--route", "Other"], "other is the route of another session"],
  [["check"], "fixtures check needs --answers FILE"],
  [["check", "--answers", "x", "--out", "y"], "fixtures check writes no fixtures: no --out, no --format, no --workers"],
  [["check", "--answers", "x", "--format", "har"], "fixtures check writes no fixtures"],
  [["check", "--answers", "x", "--count", "5", "--workers", "2"], "fixtures check writes no fixtures"],
  [["--format", "k6", "--base-url", "http://a.test"], "--base-url is not for --format k6"],
  [["--format", "har", "--base-url", "ftp://a.test"], "--base-url: expected an http or https address"],
  [["--format", "har", "--base-url", "http://user:pw@a.test"], "without a user"],
  [["--format", "har", "--out", "folder/"], "har is written as one"],
  [["judge"], 'fixtures takes no "judge"'],
])("%j is refused with the choices", async (args, message) => {
  const running = command.run(args);
  await expect(running).rejects.toThrow(UsageError);
  await expect(running).rejects.toThrow(message);
});

test("a folder gets a file for each action and check", async () => {
  await withFolder(async (folder) => {
    expect(await command.run(["--format", "rest", "--out", `${folder}/made/`])).toBe(0);
    const files = await readdir(join(folder, "made"));
    expect(files).toContain("create_flow.http");
    expect(files).toContain("order-of-the-checks.http");
  });
});

describe("as built, with threads", () => {
  // `npm test` builds first; a thread of Node 20 cannot load TypeScript.
  const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");
  const built = (...args: string[]) => spawn(process.execPath, [main, "fixtures", ...args]);

  test("threads change nothing in the bytes, and neither does a file", async () => {
    await withFolder(async (folder) => {
      const file = join(folder, "f.ndjson");
      const child = built("--count", "2500", "--seed", "3", "--workers", "2", "--out", file);
      expect(await once(child, "close")).toEqual([0, null]);
      const one = blocksOf({ profile: await readProfile("spec", "."), seed: 3 });
      const text = [0, 1, 2].map((index) => blockText(one, index, 2500)).join("");
      expect(hash(await readFile(file, "utf8"))).toBe(hash(text));
      expect(await readdir(folder)).toEqual(["f.ndjson"]);
    });
  });

  test("a reader that has seen enough ends it quietly", async () => {
    const child = built("--count", "10000000", "--workers", "2");
    try {
      let stderr = "";
      child.stderr.on("data", (text) => (stderr += String(text)));
      const ended = once(child, "exit");
      await once(child.stdout, "data");
      child.stdout.destroy();
      expect(await ended).toEqual([0, null]);
      expect(stderr).toMatch(/^one route gets 10000000 requests or more, too many for one minute: .*\n$/);
    } finally {
      child.kill();
    }
  });
});

test("a folder that does not exist is told in a sentence, and no half file is left", async () => {
  await withFolder(async (folder) => {
    const running = command.run(["--out", join(folder, "none", "f.ndjson")]);
    await expect(running).rejects.toThrow(/none\/f\.ndjson could not be written: ENOENT/);
    await mkdir(join(folder, "target"));
    // A folder stands where the file would.
    await expect(command.run(["--out", join(folder, "target")])).rejects.toThrow(UsageError);
    expect(await readdir(folder)).toEqual(["target"]);
  });
});

test.skipIf(process.platform === "win32")("a link is written through and stays, and so does a device", async () => {
  await withFolder(async (folder) => {
    const [file, link, device] = ["f.json", "link", "device"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, "what was there before");
    await symlink(file, link);
    await symlink("/dev/null", device);
    for (const out of [link, device]) {
      expect(await command.run(["--format", "json", "--count", "3", "--out", out])).toBe(0);
      expect((await lstat(out)).isSymbolicLink()).toBe(true);
    }
    expect(JSON.parse(await readFile(file, "utf8"))).toHaveLength(3);
    expect((await readdir(folder)).toSorted()).toEqual(["device", "f.json", "link"]);
  });
});

/** What a command says on standard error. */
async function remarksOf(...args: string[]): Promise<string> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await withFolder((folder) => command.run([...args, "--format", "json", "--out", join(folder, "f")]));
  } finally {
    spy.mockRestore();
  }
  return written.join("");
}

test("random fixtures that are too many for a minute on one route are told, requests before them counted", async () => {
  const many = "or more, too many for one minute: name more routes with --route, or send them slowly\n";
  expect(await remarksOf("--count", "20")).toBe("");
  expect(await remarksOf("--count", "121")).toBe(`one route gets 121 requests ${many}`);
  expect(await remarksOf("--count", "119")).toMatch(/^one route gets (1[2-9]|[2-9]\d)\d requests or more/);
  expect(await remarksOf("--count", "119", "--route", "a", "--route", "b", "--route", "c")).toBe("");
});

test("the configuration for random fixtures has their route", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "gateway.json");
    expect(await command.run(["--format", "config", "--count", "5", "--out", out])).toBe(0);
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({
      plugins: { entries: { webhooks: { config: { routes: { demo: {}, other: {} } } } } },
    });
  });
});

test("own values are read from a file; a field that there is not is refused", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "values.json");
    await writeFile(file, JSON.stringify({ goal: ["ganz eigenes Ziel"] }));
    const out = join(folder, "f.ndjson");
    const some = ["--count", "20", "--action", "create_flow", "--invalid", "0"];
    expect(await command.run([...some, "--values", file, "--out", out])).toBe(0);
    expect((await readFile(out, "utf8")).match(/ganz eigenes Ziel/g)?.length).toBe(20);
    await writeFile(file, JSON.stringify({ gaol: ["x"] }));
    const running = command.run(["--count", "1", "--values", file]);
    await expect(running).rejects.toThrow(`a field in ${file} is "gaol", expected one of: goal, status`);
  });
});

const answer = (fixture: string, status: number, code?: string) =>
  JSON.stringify({
    fixture,
    status,
    body: { ok: code === undefined, routeId: "demo", result: {}, ...(code !== undefined && { code, error: "x" }) },
  });
const checked = (lines: string) =>
  withFolder(async (folder) => {
    const file = join(folder, "answers.ndjson");
    await writeFile(file, lines);
    return call(command, "check", "--answers", file, "--route", "demo", "--profile", "reference");
  });

describe("fixtures check", () => {
  const good = answer("CREATE-FLOW-SMALLEST", 200);

  test("is content with what is expected", async () => {
    const { code, text } = await checked(`${good}\n${answer("AUTH-WRONG", 401, "unauthorized")}\n`);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/^2 as expected, 0 not, 0 not reached, \d+ without an answer\n$/),
    ]);
  });

  test("names clause, fixture and difference", async () => {
    const { code, text } = await checked(`${good}\n${answer("FINISH-FLOW-STALE", 200)}\n`);
    expect(code).toBe(1);
    expect(text).toContain("REVISION-STALE, section 3:");
    expect(text).toContain(
      "  FINISH-FLOW-STALE finish_flow with the revision from before the last change\n    status 200 instead of 409\n",
    );
    expect(text).toContain("1 as expected, 1 not, 0 not reached");
  });

  test("does not blame a request whose precondition failed", async () => {
    const { code, text } = await checked(
      `${answer("FINISH-FLOW-STALE/1", 503, "persist_failed")}\n${answer("FINISH-FLOW-STALE", 200)}\n`,
    );
    expect([code, text]).toEqual([
      1,
      expect.stringContaining("  FINISH-FLOW-STALE: request 1: status 503 instead of 2xx\n"),
    ]);
  });

  test("is incomplete where no answer is one to these fixtures", async () => {
    const { code, text } = await checked(`${answer("CREATE-FLOW-OF-ANOTHER-SEED", 200)}\n`);
    expect([code, text]).toEqual([
      4,
      expect.stringMatching(
        /such as CREATE-FLOW-OF-ANOTHER-SEED\nnothing was judged: .*\n0 as expected, 0 not, 0 not reached, /,
      ),
    ]);
  });

  test("judges what stands before a torn last line, tells the tear and is incomplete", async () => {
    const { code, text } = await checked(`${good}\n${good.slice(0, 20)}`);
    expect([code, text]).toEqual([
      4,
      expect.stringMatching(/^the last line \(2\) is torn: .*\n1 as expected, 0 not, 0 not reached, \d+ without/),
    ]);
  });
});
