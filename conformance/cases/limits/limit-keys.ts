/** Section 8: the keys of both limits are path and client address, and nothing that a caller can choose. */
import { withHeader, withPath, type Request } from "../../interface/request.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { isAccepted } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustRefuse } from "../../harness/checks.ts";
import { cheap, fill, keyOf, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { mustRefuseUsedUp } from "../../harness/used-up.ts";

/** Headers that each caller may set as it likes; none of them names a client. */
const chosenHeaders = [
  ["host", "other.example"],
  ["user-agent", "another-client/1.0"],
  ["accept-language", "la"],
  ["cookie", "visitor=another"],
  ["x-request-id", "another-request"],
] as const;

const reading = "The key is the path and the client's address. A refusal for the header itself is as good.";

const withQuery = (trial: Trial, key: Key, query: string): Request =>
  withPath(cheap(trial, key), `${key.route.path}?${query}`);

const queryReading =
  "The key is the path; a query is no part of it. A target that does not serve the path with a query passes.";

async function mustServeQuery(trial: Trial): Promise<void> {
  if (!isAccepted(await trial.send(withQuery(trial, keyOf(trial), "a=1"))))
    throw new NotApplicable("the path with a query is not served");
}

export const limitKeyCases: readonly Case[] = [
  {
    id: "RATE-OTHER-HEADERS",
    title: "Another Host, User-Agent or cookie does not open another budget",
    clauses: ["RATE-120"],
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW + 12,
    reading,
    async run(trial) {
      for (const [header, value] of chosenHeaders)
        await mustRefuseUsedUp(trial, (key) => withHeader(cheap(trial, key), header, value));
    },
  },
  {
    id: "IN-FLIGHT-OTHER-HEADERS",
    title: "Another Host, User-Agent or cookie does not open more slots",
    clauses: ["IN-FLIGHT-8"],
    meetsLimits: true,
    requests: 40,
    reading,
    async run(trial) {
      const key = keyOf(trial);
      await fill(trial, key);
      for (const [header, value] of chosenHeaders)
        mustRefuse(await trial.send(withHeader(cheap(trial, key), header, value), key.from));
    },
  },
  {
    id: "RATE-QUERY-SAME-PATH",
    title: "A query string does not open another budget",
    clauses: ["RATE-KEY-PATH"],
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW + 2,
    reading: queryReading,
    async run(trial) {
      await mustServeQuery(trial);
      await mustRefuseUsedUp(trial, (key) => withQuery(trial, key, "a=2"), 1);
    },
  },
  {
    id: "IN-FLIGHT-QUERY-SAME-PATH",
    title: "A query string does not open more slots",
    clauses: ["IN-FLIGHT-KEY-PATH"],
    meetsLimits: true,
    requests: 40,
    reading: queryReading,
    async run(trial) {
      await mustServeQuery(trial);
      const key = keyOf(trial);
      await fill(trial, key);
      mustRefuse(await trial.send(withQuery(trial, key, "a=2"), key.from));
    },
  },
];
