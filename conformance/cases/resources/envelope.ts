/** Section 2: the form of answers. That each is the envelope: conformance/invariants/envelope.ts. */
import { spoilt } from "../../interface/broken-requests.ts";
import { withBody, withMethod } from "../../interface/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, setUp } from "../../harness/checks.ts";

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
      const request = withMethod(withBody(trial.right(), ""), "HEAD");
      const { head, bodyBytes } = await trial.raw(request);
      check(head.startsWith("HTTP/1."), "an answer to HEAD", "none");
      check(bodyBytes === 0, "an answer without a body", "a body behind the headers");
    },
  },
];
