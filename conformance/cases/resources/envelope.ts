/** Section 2: the form of answers, one for each request. That each is the envelope: conformance/invariants/answers.ts. */
import { spoilt } from "../../interface/broken-requests.ts";
import { withBody, withMethod } from "../../interface/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, setUp, mustTakeTwin } from "../../harness/checks.ts";
import { pipelined } from "../../harness/connection.ts";

/** Interim answers may come before (RFC 9110, 15.2). */
const FINAL_STATUS = /HTTP\/1\.[01] [2-9]/;

interface Expected {
  readonly what: string;
  readonly fits: (status: number) => boolean;
}

const sequence: readonly Expected[] = [
  { what: "success", fits: (status) => status >= 200 && status < 300 },
  { what: "401", fits: (status) => status === 401 },
  { what: "a refusal of the content type", fits: (status) => status >= 400 && status !== 401 },
  { what: "success again", fits: (status) => status >= 200 && status < 300 },
];

export const envelopeCases: readonly Case[] = [
  {
    id: "ENVELOPE-JSON-TYPE",
    title: "Answers are sent with the profile's media type",
    clauses: ["ENVELOPE-TYPE"],
    gaps: ["envelope.content-type"],
    requests: 4,
    async run(trial) {
      const accepted = setUp(await trial.send(trial.right()), "the valid request");
      const refused = await trial.send(spoilt(trial.right(), "AUTH"));
      for (const exchange of [accepted, refused]) {
        const [type = "none"] = exchange.answer?.headers.get("content-type") ?? [];
        const media = type.split(";")[0]?.trim().toLowerCase();
        check(
          media === trial.gap("envelope.content-type"),
          trial.gap("envelope.content-type"),
          "another type",
          exchange,
        );
      }
    },
  },
  {
    id: "ENVELOPE-HEAD-EMPTY",
    title: "HEAD gets no body",
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
  {
    id: "ENVELOPE-PIPELINED",
    title: "Pipelined requests get one answer each, in order",
    clauses: ["ENVELOPE-OK"],
    requests: 6,
    reading:
      "Two of the four are refused before their body is read: its bytes are no request of their own. A target may close " +
      "the connection after any answer, then the later ones are missing.",
    async run(trial) {
      const right = trial.right();
      mustTakeTwin(await trial.send(right));
      const wrong = spoilt(right, "AUTH");
      const text = spoilt(right, "CONTENT-TYPE");
      const { statuses, closed } = await pipelined(trial, [right, wrong, text, right]);
      for (const [index, status] of statuses.entries()) {
        const expected = sequence[index];
        check(expected !== undefined, "four answers at most", "more answers than requests");
        const place = `answer ${index + 1} of one connection: ${expected?.what}`;
        check(expected?.fits(status) === true, place, `${status}`);
      }
      check(statuses.length > 0, "an answer", "none");
      const left = statuses.length === sequence.length || closed;
      check(left, "an answer for each request, or a closed connection", "silence");
    },
  },
];
