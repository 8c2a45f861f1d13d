/** The commands that people are told to run, each word as bash takes it. */
import { shellWord } from "../http/replay-line.ts";
import type { Report } from "./report.ts";

const RUN = "webhooks-conformance run";

interface HeldTo {
  /** The target file. */
  readonly target: string;
  /** As it was given; undefined for the target's own. */
  readonly profile?: string | undefined;
  readonly allowHosts?: readonly string[] | undefined;
}

/** Judges a target as it was judged, up to the choice of cases. */
export function runCommand({ target, profile, allowHosts = [] }: HeldTo): string {
  const heldTo = profile === undefined ? [] : ["--profile", profile];
  const allowed = allowHosts.flatMap((host) => ["--allow-host", host]);
  return [RUN, ...["--target", target, ...heldTo, ...allowed].map((word) => shellWord(word))].join(" ");
}

/** Sends the requests of a replay file to the target that `run`, one of `runCommand`'s, judges. */
export function replayCommand(file: string, run: string): string {
  return `webhooks-conformance replay ${shellWord(file)}${run.slice(RUN.length)}`;
}

/** What of a result says how to run it again. */
interface Rerunnable {
  readonly id: string;
  readonly file?: string | undefined;
  readonly story?: { readonly replay?: { readonly seed: number } | undefined } | undefined;
}

/** The command that runs one result's case again; undefined where the report does not know its own command. */
export function againFor(
  { id, file, story }: Rerunnable,
  { again, depth }: Pick<Report, "again" | "depth">,
): string | undefined {
  if (again === undefined) return undefined;
  if (file !== undefined) return replayCommand(file, again);
  const { seeds = [] } = depth ?? {};
  const seed = story?.replay?.seed ?? (seeds.length === 1 ? seeds[0] : undefined);
  // A seed changes nothing for cases that generate nothing.
  const isGenerated = id.startsWith("PROPERTY-") && seed !== undefined;
  return `${again} --case ${id}${isGenerated ? ` --seed ${seed}` : ""}`;
}
