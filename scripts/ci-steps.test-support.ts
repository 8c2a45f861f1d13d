/** Shell steps of a CI job, run as a runner runs them: by bash, in a project that has the built package. No network. */
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gatewayStart } from "../conformance/test-support/gateway.test-support.ts";
import { withFolder } from "../conformance/test-support/folder.test-support.ts";

const root = join(import.meta.dirname, "..");
const main = join(root, "dist/conformance/cli/main.js");

interface Ended {
  readonly code: number | null;
  /** Standard output, then standard error. */
  readonly log: string;
}

export interface Project {
  readonly folder: string;
  read(name: string): Promise<string>;
  /** Runs a script; `env` is added to this process's environment. */
  run(script: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The words of each start of the kit so far. */
  kitWords(): Promise<string[][]>;
}

interface ProjectOptions {
  /** Added to each `run` of the kit, as a whole run is too long for a test. */
  readonly runOptions?: readonly string[];
  /** A script in its place, which is started at once, without npx; its words are noted all the same. */
  readonly kit?: string;
}

/**
 * A folder with the tests' gateway as `target.json`, an empty `baseline.json`, and `house.json`, a profile that the
 * gateway breaks in GAP-REFUSED-METHOD. `npm` only writes its words to `npm.txt`.
 */
export async function withProject<T>(
  { runOptions = [], kit }: ProjectOptions,
  use: (project: Project) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const put = (name: string, text: string) => writeFile(join(folder, name), text);
    const bin = join(folder, "node_modules", ".bin");
    const fakes = join(folder, "fakes");
    await mkdir(bin, { recursive: true });
    await mkdir(fakes);
    await put("package.json", "{}");
    const more = runOptions.map((word) => `'${word}'`).join(" ");
    const starts = kit ?? `case "$1" in run) set -- "$@" ${more};; esac\nexec node '${main}' "$@"`;
    await program(join(bin, "webhooks-conformance"), `(printf '%s\\n' "$@"; echo) >> kit.txt\n${starts}`);
    if (kit !== undefined)
      await program(join(fakes, "npx"), '[ "$1 $2" = "--no --" ] && shift 2 && exec node_modules/.bin/"$@"');
    await program(join(fakes, "npm"), 'printf "%s\\n" "$@" >> npm.txt');
    await put("target.json", JSON.stringify({ name: "test gateway", profile: "reference", start: gatewayStart([]) }));
    await put("house.json", '{ "name": "house", "description": "Wants 400.", "gaps": { "method.status": 400 } }');
    const baseline = { format: "webhooks-conformance/baseline@2", suite: "0.1.0", target: "test gateway" };
    await put("baseline.json", JSON.stringify({ ...baseline, profile: "reference", entries: [] }));
    return use({
      folder,
      read: (name) => readFile(join(folder, name), "utf8"),
      run: async (script, env = {}) => {
        await put("step.sh", script);
        const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "step.sh"], {
          cwd: folder,
          encoding: "utf8",
          env: {
            ...process.env,
            PATH: `${fakes}:${process.env["PATH"]}`,
            GITHUB_OUTPUT: join(folder, "outputs"),
            GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
            ...env,
          },
        });
        return { code: status, log: stdout + stderr };
      },
      kitWords: async () =>
        (await readFile(join(folder, "kit.txt"), "utf8")).split("\n\n").flatMap((text) => {
          return text === "" ? [] : [text.split("\n")];
        }),
    });
  });
}

async function program(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
