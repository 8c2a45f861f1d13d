/** The commands that a report tells people to run, quoted for bash. */
import { shellWord } from "../http/replay-line.ts";
import type { Report, ReportedResult } from "./report.ts";

const PROGRAM = "webhooks-conformance";

const SHOWN_CASES = 3;

interface HeldTo {
  /** The options that name the target, such as `["--target", "target.json"]`. */
  readonly subject: readonly string[];
  /** As given to `--profile`; undefined for the target file's own. */
  readonly profile?: string | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  /** How the command line was called, such as `npx webhooks-conformance`. */
  readonly program?: string | undefined;
}

/** The `run` command that judges a target again; a choice of cases can be added to it. */
export function runCommand({ subject, profile, allowHosts = [], program = PROGRAM }: HeldTo): string {
  const heldTo = profile === undefined ? [] : ["--profile", profile];
  const allowed = allowHosts.flatMap((host) => ["--allow-host", host]);
  return [`${program} run`, ...[...subject, ...heldTo, ...allowed].map((word) => shellWord(word))].join(" ");
}

/** The folder into which `config` writes the configuration that `serve` reads. */
const FOLDER = "by-hand";

/**
 * The commands that serve a plugin with the standard configuration on port 8080, in the background, and set what the
 * `replay` lines of a report read: to be pasted into bash. `served`: the options of `serve` that name the plugin.
 */
export function serveCommand(served: readonly string[], program: string): string {
  const words = served.map((word) => shellWord(word)).join(" ");
  return [
    `[ -d ${FOLDER} ] || ${program} config --out ${FOLDER}`,
    `set -a; . ${FOLDER}/secrets.env; set +a; BASE_URL=http://127.0.0.1:8080`,
    `${program} serve --config ${FOLDER}/config.json --port 8080 ${words} &`,
  ].join("; ");
}

/** The command that sends a replay file's requests to the target of `run`, a command that `runCommand` made. */
export function replayCommand(file: string, run: string): string {
  return run.replace(/ run (?=--(target|plugin) )/, () => ` replay ${shellWord(file)} `);
}

type Rerunnable = Pick<ReportedResult, "id" | "file" | "seenIn" | "row" | "story">;

/** The command that runs one result's case again; undefined where the report does not know its own command. */
export function againFor(
  { id, file, seenIn = [], row = [], story }: Rerunnable,
  { again, depth }: Pick<Report, "again" | "depth">,
): string | undefined {
  if (again === undefined) return undefined;
  if (file !== undefined) return replayCommand(file, again);
  const { seeds = [] } = depth ?? {};
  const seed = story?.replay?.seed ?? (seeds.length === 1 ? seeds[0] : undefined);
  // A seed changes nothing for cases that generate nothing.
  const isGenerated = id.startsWith("PROPERTY-") && seed !== undefined;
  const others = seenIn.filter((other) => other !== id).slice(0, SHOWN_CASES);
  const chosen = [id, ...others].map((one) => ` --case ${one}`);
  const values = row.map((one) => ` --row ${shellWord(one)}`);
  return `${again}${[...chosen, ...values].join("")}${isGenerated ? ` --seed ${seed}` : ""}`;
}
