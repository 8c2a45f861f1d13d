/** Section 4: a request comes as `application/json`. */
import { createFlow } from "../../../fixtures/bodies.ts";
import { otherContentTypes, sameContentTypes } from "../../../fixtures/broken-requests.ts";
import { validRequest, withHeader, type Request } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

const common = { level: "must", requests: 12 } as const;

const create = (trial: Trial): Request => validRequest(trial.route, createFlow());

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

export const contentTypeCases: readonly Case[] = [
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
];
