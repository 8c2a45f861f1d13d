/** Section 2: the form of answers, one for each request. That each is the envelope: conformance/invariants/answers.ts. */
import { spoilt } from "../../interface/broken-requests.ts";
import { withBody, withMethod } from "../../interface/request.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, setUp } from "../../harness/checks.ts";
import { pipelined } from "../../harness/at-once.ts";
import { openValues } from "../../harness/open-values.ts";

/** Interim answers may come before (RFC 9110, 15.2). */
const FINAL_STATUS = /HTTP\/1\.[01] [2-9]/;

const mediaType = ({ answer }: Exchange) =>
  answer?.headers.get("content-type")?.[0]?.split(";")[0]?.trim().toLowerCase() ?? null;

export const envelopeCases: readonly Case[] = [
  openValues({
    id: "ENVELOPE-JSON-TYPE",
    title: "Answers are sent with the profile's media type",
    clauses: ["ENVELOPE-TYPE"],
    reads: { "envelope.content-type": mediaType },
    requests: 4,
    async *shown(trial) {
      yield setUp(await trial.send(trial.right()), "the valid request");
      yield await trial.send(spoilt(trial.right(), "AUTH"));
    },
  }),
  {
    id: "ENVELOPE-HEAD-EMPTY",
    title: "The answer to HEAD has no body",
    clauses: ["METHOD-POST"],
    requests: 2,
    reading: "RFC 9110, 9.3.2: a server must not send content in the answer to HEAD.",
    async run(trial) {
      setUp(await trial.send(trial.right()), "the valid request");
      const { text } = await pipelined(trial, [withMethod(withBody(trial.right(), ""), "HEAD")]);
      const head = text.search(FINAL_STATUS);
      check(head >= 0, "an answer to HEAD", "none");
      const isBare = text.indexOf("\r\n\r\n", head) === text.length - 4;
      check(isBare, "an answer without a body", "a body behind the headers");
    },
  },
];
