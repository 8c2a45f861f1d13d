/** Section 8: how large a body may be. */
import { gzipSync } from "node:zlib";
import { createFlow } from "../../interface/bodies.ts";
import { PASSES_BYTES } from "../../interface/broken-requests.ts";
import { chunked, paddedTo, withBody, withHeader, type Request } from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Interval } from "../../interface/limits.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustTakeChunks, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { edge, mustMeasure } from "../../harness/measure.ts";
import { mustFit } from "../../harness/open-values.ts";
import type { Trial } from "../../harness/trial.ts";
import { namesOf } from "../../oracle/flow-factors.ts";
import { rowCase } from "../../oracle/row-case.ts";

const framings = [
  { id: "LENGTH", with: "a Content-Length", frame: (request: Request) => request },
  { id: "CHUNKED", with: "chunks", frame: (request: Request) => chunked(request) },
] as const;

/** Sends a whole body through, reading the answer only afterwards, as simple clients do. */
async function wholeUpload(trial: Trial, request: Request): Promise<Exchange> {
  return trial.finish(await trial.upload(request));
}

/** Larger ones are not tried, bytes. */
const MOST_BYTES = 1024 * 1024;

/** The largest body that is read; the guesses are of the smallest that is not. */
async function largestRead(
  trial: Trial,
  frame: (request: Request) => Request,
  guesses: readonly number[],
): Promise<Interval> {
  const least = trial.right().body.byteLength + 1;
  const isRefused = async (bytes: number) =>
    !isAccepted(await wholeUpload(trial, frame(paddedTo(trial.right(), bytes))));
  const refused = await edge(isRefused, { guesses, least, most: MOST_BYTES });
  return refused === undefined ? { least: MOST_BYTES } : { least: refused - 1, most: refused - 1 };
}

const sizes: readonly Case[] = framings.flatMap(({ id, with: framing, frame }): Case[] => [
  {
    id: `BODY-262145-${id}`,
    title: `With ${framing}, a body of 256,000 bytes is read and one of 262,145 is refused`,
    clauses: ["BODY-SIZE"],
    requests: 30,
    reading: "256 KB are 256,000 bytes or 262,144. A target that cuts the connection has refused as well.",
    async run(trial) {
      mustTakeTwin(mustTakeChunks(await trial.send(frame(trial.right()))));
      const value = await largestRead(trial, frame, [262_145, 256_001]);
      mustMeasure(trial, "body size", value, `with ${framing}`);
    },
  },
  {
    id: `BODY-LIMIT-EXACT-${id}`,
    title: `With ${framing}, the largest body that is read is as long as the profile says`,
    clauses: ["BODY-SIZE"],
    gaps: ["body.max-bytes"],
    requests: 30,
    async run(trial) {
      const { "body.max-bytes": stated = 262_144 } = trial.profile.gaps;
      mustTakeTwin(mustTakeChunks(await trial.send(frame(trial.right()))));
      const { most = null } = await largestRead(trial, frame, [stated + 1, 256_001]);
      mustFit(trial, "body.max-bytes", most, ...trial.last);
    },
  },
]);

/** Bodies that are too large by their bytes, whatever they are counted in. */
const large: Readonly<Record<string, (right: Request) => Request>> = {
  "300,000 bytes": (right) => paddedTo(right, 300_000),
  "1,000,000 bytes": (right) => paddedTo(right, 1_000_000),
  "100,000 characters of three bytes": (right) => withBody(right, JSON.stringify(createFlow("\u6f22".repeat(100_000)))),
};

const delivered = rowCase({
  id: "BODY-413-DELIVERED",
  title: "A client still sending a large body gets its refusal; bytes count, not characters",
  clauses: ["ANSWER-DELIVERED", "BODY-SIZE"],
  requests: 12,
  table: { factors: { body: namesOf(large), framing: ["a Content-Length", "chunks"] } },
  async play(trial, { body, framing }) {
    const { frame } = framings.find((one) => one.with === framing) ?? framings[0];
    mustTakeTwin(mustTakeChunks(await trial.send(frame(paddedTo(trial.right(), PASSES_BYTES)))));
    const exchange = await wholeUpload(trial, frame(large[body]?.(trial.right()) ?? trial.right()));
    check(exchange.answer !== undefined, "the refusal as an answer", describe(exchange), exchange);
    mustRefuse(exchange);
  },
});

export const bodySizeCases: readonly Case[] = [
  ...sizes,
  delivered,
  {
    id: "BODY-COMPRESSED",
    title: "A compressed body does not evade the size limit",
    clauses: ["BODY-SIZE"],
    level: "should",
    requests: 12,
    reading:
      "Sent as gzip with Content-Encoding: 1,000,000 bytes of JSON in about 1,000. Refusing gzip at all is lawful.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      const packed = withBody(trial.right(), gzipSync(paddedTo(trial.right(), 1_000_000).body));
      const exchange = await trial.send(withHeader(packed, "content-encoding", "gzip"));
      check(!isAccepted(exchange), "a refusal", describe(exchange), exchange);
    },
  },
];
