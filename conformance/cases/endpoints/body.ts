/** Sections 4 and 8: what the body may be, how large, and how slow. */
import { createFlow } from "../../../fixtures/bodies.ts";
import {
  malformedActions,
  malformedBodies,
  otherContentTypes,
  PASSES_BYTES,
  REFUSED_BYTES,
  sameContentTypes,
} from "../../../fixtures/broken-requests.ts";
import { chunked, paddedTo, validRequest, withBody, withHeader, type Request } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { HarnessError } from "../../http/harness-error.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Trial } from "../../harness/trial.ts";
import { cheap, keyOf } from "../../harness/limit-keys.ts";
import { answeredSoon, owing, passUntil } from "../../harness/slow-body.ts";

const common = { level: "must", requests: 12 } as const;

/** What was finished later than this may have been late for the target, ms. */
const NEARLY_15_SECONDS_MS = 14_900;

const framings = [
  { id: "LENGTH", with: "a Content-Length", frame: (request: Request) => request },
  { id: "CHUNKED", with: "chunks", frame: chunked },
] as const;

/** RFC 9110, 15.5.12: a server may want a Content-Length. */
export function chunksTaken(exchange: Exchange): Exchange {
  const { answer, request } = exchange;
  if (answer?.status !== 411 || request.chunked !== true) return exchange;
  throw new NotApplicable("the target takes no chunks: 411, it wants a Content-Length");
}

const create = (trial: Trial): Request => validRequest(trial.route, createFlow());

const sizes: readonly Case[] = framings.flatMap(({ id, with: framing, frame }): Case[] => [
  {
    ...common,
    id: `BODY-256000-${id}`,
    title: `A body of 256,000 bytes sent with ${framing} is read`,
    clauses: ["BODY-SIZE"],
    async run(trial) {
      const exchange = chunksTaken(await trial.send(frame(paddedTo(create(trial), PASSES_BYTES))));
      mustAccept(exchange, "a body of 256,000 bytes accepted");
    },
  },
  {
    ...common,
    id: `BODY-262145-${id}`,
    title: `A body of 262,145 bytes sent with ${framing} is refused`,
    clauses: ["BODY-SIZE"],
    async run(trial) {
      twin(chunksTaken(await trial.send(frame(paddedTo(create(trial), PASSES_BYTES)))));
      const exchange = await wholeUpload(trial, frame(paddedTo(create(trial), REFUSED_BYTES)));
      // A target that cuts the connection has refused as well; that its answer arrives is a clause of its own.
      check(!isAccepted(exchange), "a refusal", describe(exchange), exchange);
    },
  },
  {
    ...common,
    id: `BODY-LIMIT-EXACT-${id}`,
    title: `With ${framing}, the largest body that is read is exactly as long as the profile says`,
    clauses: ["BODY-SIZE"],
    level: "gap",
    gaps: ["body.max-bytes"],
    async run(trial) {
      const largest = trial.gap("body.max-bytes");
      mustAccept(chunksTaken(await trial.send(frame(paddedTo(create(trial), largest)))), "the largest body accepted");
      const exchange = await wholeUpload(trial, frame(paddedTo(create(trial), largest + 1)));
      check(!isAccepted(exchange), "one byte more refused", describe(exchange), exchange);
    },
  },
  {
    ...common,
    id: `BODY-413-DELIVERED-${id}`,
    title: `The refusal of a large body sent with ${framing} reaches a client that is still sending`,
    clauses: ["ANSWER-DELIVERED", "BODY-SIZE"],
    async run(trial) {
      twin(chunksTaken(await trial.send(frame(paddedTo(create(trial), PASSES_BYTES)))));
      for (const bytes of [300_000, 1_000_000]) {
        const exchange = await wholeUpload(trial, frame(paddedTo(create(trial), bytes)));
        check(exchange.answer !== undefined, "the refusal as an answer", describe(exchange), exchange);
        mustRefuse(exchange);
      }
    },
  },
]);

/** Sends a whole body through, reading the answer only afterwards, as simple clients do. */
async function wholeUpload(trial: Trial, request: Request): Promise<Exchange> {
  return trial.finish(await trial.upload(request));
}

const malformedCases: readonly Case[] = malformedBodies.map(({ id, what, body }) => ({
  ...common,
  id: `BODY-MALFORMED-${id}`,
  title: `400 invalid_request for ${what}`,
  clauses: ["BODY-OBJECT", "ERROR-INVALID"],
  reading: "A body that is no JSON object is a malformed request, for which section 7 gives 400 invalid_request.",
  async run(trial) {
    twin(await trial.send(create(trial)));
    mustRefuse(await trial.send(withBody(create(trial), body)), { status: 400, code: "invalid_request" });
  },
}));

const malformedActionCases: readonly Case[] = malformedActions.map(({ id, what, body }) => ({
  ...common,
  id: `BODY-MALFORMED-${id}`,
  title: `A body with ${what} is refused`,
  clauses: ["BODY-OBJECT"],
  reading: "`action` is a string (section 4). Status and code are open: those for a missing or unknown action are.",
  async run(trial) {
    twin(await trial.send(create(trial)));
    mustRefuse(await trial.send(withBody(create(trial), body)));
  },
}));

const contentTypes: readonly Case[] = otherContentTypes.map(({ id, type }) => ({
  ...common,
  id: `CONTENT-TYPE-${id}`,
  title: `A right body sent as ${type} is refused`,
  clauses: ["CONTENT-TYPE"],
  async run(trial) {
    twin(await trial.send(create(trial)));
    mustRefuse(await trial.send(withHeader(create(trial), "content-type", type)));
  },
}));

export const bodyCases: readonly Case[] = [
  ...contentTypes,
  {
    ...common,
    id: "CONTENT-TYPE-MISSING",
    title: "A right body sent without a content type is refused",
    clauses: ["CONTENT-TYPE"],
    async run(trial) {
      twin(await trial.send(create(trial)));
      const request = { ...create(trial), headers: create(trial).headers.filter(([name]) => name !== "content-type") };
      mustRefuse(await trial.send(request));
    },
  },
  {
    ...common,
    id: "CONTENT-TYPE-SUFFIX",
    title: "A +json type is not application/json",
    clauses: ["CONTENT-TYPE"],
    reading: "The check is for `application/json`; application/problem+json is another media type.",
    async run(trial) {
      twin(await trial.send(create(trial)));
      mustRefuse(await trial.send(withHeader(create(trial), "content-type", "application/problem+json")));
    },
  },
  {
    ...common,
    id: "CONTENT-TYPE-CHARSET",
    title: "application/json with a charset, in any case, is let in",
    clauses: ["CONTENT-TYPE"],
    reading: "RFC 9110, 8.3.1: the type's name is case-insensitive, and a parameter does not make it another type.",
    async run(trial) {
      for (const type of sameContentTypes) {
        mustAccept(await trial.send(withHeader(create(trial), "content-type", type)));
      }
    },
  },
  ...malformedCases,
  ...malformedActionCases,
  ...sizes,
  {
    ...common,
    id: "BODY-BYTES-NOT-CHARACTERS",
    title: "The limit counts bytes, not characters",
    clauses: ["BODY-SIZE"],
    async run(trial) {
      twin(await trial.post(createFlow("\u6f22".repeat(1000))));
      const goal = "\u6f22".repeat(100_000);
      const exchange = await wholeUpload(trial, validRequest(trial.route, createFlow(goal)));
      check(!isAccepted(exchange), "300,000 bytes of 100,000 characters refused", describe(exchange), exchange);
    },
  },
  {
    ...common,
    id: "BODY-BYTES-NOT-CHARACTERS-CHUNKED",
    title: "The limit counts bytes, not characters, also where no length is announced",
    clauses: ["BODY-SIZE"],
    async run(trial) {
      twin(chunksTaken(await trial.send(chunked(validRequest(trial.route, createFlow("\u6f22".repeat(1000)))))));
      const large = validRequest(trial.route, createFlow("\u6f22".repeat(100_000)));
      const exchange = await wholeUpload(trial, chunked(large));
      check(!isAccepted(exchange), "300,000 bytes of 100,000 characters refused", describe(exchange), exchange);
    },
  },
  {
    ...common,
    id: "BODY-14-SECONDS",
    title: "A body that arrives within 14 seconds is read",
    clauses: ["BODY-TIME"],
    seconds: 15,
    async run(trial) {
      const { upload, since } = await owing(trial, create(trial), 10);
      await passUntil(trial, since, 14_000);
      const exchange = await trial.finish(upload);
      if (!isAccepted(exchange) && trial.now() - since > NEARLY_15_SECONDS_MS) {
        throw new HarnessError("the machine was too busy to send a body within 15 seconds");
      }
      mustAccept(exchange, "a body accepted that took 14 seconds");
    },
  },
  {
    ...common,
    id: "BODY-SILENCE-15-SECONDS",
    title: "A body that does not arrive within 15 seconds is refused, and the refusal is delivered",
    clauses: ["BODY-TIME", "ANSWER-DELIVERED"],
    seconds: 18,
    async run(trial) {
      const { upload, since } = await owing(trial, create(trial), 10);
      await passUntil(trial, since, 14_000);
      check(!upload.answered, "no answer within 14 seconds", "an answer", upload.pending());
      await trial.pass(1500);
      const inTime = await answeredSoon(trial, upload, 2500);
      check(inTime, "a refusal after 15 seconds", "silence", upload.pending());
      mustRefuse(await trial.answerOf(upload));
    },
  },
  {
    ...common,
    id: "BODY-DRIP-15-SECONDS",
    title: "A body that drips in is refused after 15 seconds in all",
    clauses: ["BODY-TIME"],
    seconds: 18,
    reading: "15 seconds are for the whole body: a byte now and then does not start them again.",
    async run(trial) {
      twin(await trial.send(create(trial)));
      const { upload } = await owing(trial, create(trial), 1);
      for (let second = 0; second < 15; second += 1) {
        await trial.pass(1000);
        await upload.write(1);
      }
      await trial.pass(800);
      const inTime = await answeredSoon(trial, upload, 2500);
      check(inTime, "a refusal after 15 seconds", "silence", upload.pending());
      mustRefuse(await trial.answerOf(upload));
    },
  },
  {
    ...common,
    id: "BODY-IGNORES-KEEP-ALIVE",
    title: "One connection gives one answer per request, in order",
    clauses: ["ENVELOPE-OK"],
    async run(trial) {
      const key = keyOf(trial);
      mustAccept(await trial.send(cheap(trial, key)));
      mustRefuse(await trial.send(withBody(cheap(trial, key), "{")), { status: 400 });
      mustAccept(await trial.send(cheap(trial, key)), "the request after a refused one accepted");
    },
  },
];
