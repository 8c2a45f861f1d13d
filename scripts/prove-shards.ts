/** Parts of a proof that run on several machines, and what they come to together. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { titles, type Complaint } from "./prove-verdict.ts";

export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** Of `n/m`; undefined where it is none. */
export function shardOf(text: string): Shard | undefined {
  const [, number = 0, of = 0] = (/^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= of ? { number, of } : undefined;
}

/** Every m-th item, so that shards get a like share of each kind. */
export const shareOf = <Item>(items: readonly Item[], { number, of }: Shard): Item[] =>
  items.filter((_, index) => index % of === number - 1);

const shardResult = z.strictObject({
  version: z.literal(1),
  mode: z.enum(["needed", "all"]),
  shard: z.strictObject({ number: z.int().min(1), of: z.int().min(1) }),
  /** A hash of all sources: parts of different states prove nothing together. */
  sources: z.string(),
  jobs: z.int().min(0),
  pairs: z.int().min(0),
  seconds: z.number(),
  complaints: z.array(z.strictObject({ title: z.enum(titles), line: z.string() })),
});
export type ShardResult = z.infer<typeof shardResult>;

export interface Merged {
  readonly complaints: readonly Complaint[];
  readonly jobs: number;
  readonly pairs: number;
}

/** The parts as one proof. Throws a sentence when they are not the parts of one, all of them. */
export function merged(parts: readonly ShardResult[]): Merged {
  const [first] = parts;
  if (first === undefined) throw new Error("--merge: no file is named; expected the file of each shard");
  const alike = ({ mode, sources, shard }: ShardResult) => JSON.stringify([mode, sources, shard.of]);
  if (parts.some((part) => alike(part) !== alike(first))) {
    throw new Error("--merge: the files are parts of different proofs: another mode, other sources or other shards");
  }
  const wanted = Array.from({ length: first.shard.of }, (_, index) => index + 1);
  const found = parts.map(({ shard }) => shard.number);
  const missing = wanted.filter((number) => !found.includes(number));
  if (missing.length > 0 || found.length !== wanted.length) {
    const lacks =
      missing.length > 0 ? `shard ${missing.join(", ")} of ${first.shard.of} is missing` : "one is there twice";
    throw new Error(`--merge: ${lacks}; expected each of the ${first.shard.of} shards once`);
  }
  const sum = (of: (part: ShardResult) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    complaints: parts.flatMap((part) => part.complaints),
    jobs: sum(({ jobs }) => jobs),
    pairs: sum(({ pairs }) => pairs),
  };
}

/** Reads the file of a shard. Throws a sentence when it is none. */
export function readShard(file: string): ShardResult {
  try {
    return shardResult.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error;
    throw new Error(`--merge: ${file} ${isAbsent ? "cannot be read" : "is not what `prove --shard` writes"}`, {
      cause: error,
    });
  }
}
