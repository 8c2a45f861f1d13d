/** Section 4: a request comes as `application/json`. */
import { otherContentTypes, sameContentTypes } from "../../interface/broken-requests.ts";
import { withHeader } from "../../interface/request.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse, twin } from "../../harness/checks.ts";

const common = { clauses: ["CONTENT-TYPE"], requests: 12 } as const;

export const contentTypeCases: readonly Case[] = [
  ...otherContentTypes.map(({ id, type }): Case => ({
    ...common,
    id: `CONTENT-TYPE-${id}`,
    title: `A right body sent ${type === undefined ? "without a content type" : `as ${type}`} is refused`,
    ...(id === "SUFFIX" && { reading: "application/problem+json is another media type than application/json." }),
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      mustRefuse(await trial.send(withHeader(right, "content-type", type)));
    },
  })),
  {
    ...common,
    id: "CONTENT-TYPE-CHARSET",
    title: "application/json with a charset, in any case, is let in",
    reading: "RFC 9110, 8.3.1: the type's name is case-insensitive, and a parameter does not make it another type.",
    async run(trial) {
      for (const type of sameContentTypes) {
        mustAccept(await trial.send(withHeader(trial.right(), "content-type", type)));
      }
    },
  },
];
