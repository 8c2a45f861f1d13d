import { expect, test } from "vitest";
import { reject } from "../../plugin/answer.ts";
import { cases } from "../catalogue.ts";
import { broken } from "./broken/index.ts";
import { together, withOutcome, withRefusals } from "./changes.ts";
import { judgeSubject } from "./judge-subject.ts";

/** Where absent flows are not found the cheapest request that is accepted is the list, a long one in the end. */
const countsMethods = together(
  withOutcome(["get_flow", "find_latest_flow"], (answer) =>
    (answer.result as { flow?: unknown }).flow ? answer : reject("not_found"),
  ),
  withRefusals((refusal, { context: { rateLimiter, parts, route }, request }) => {
    rateLimiter.take(parts.clientKey(route, request));
    return refusal;
  }, "method"),
);

test("refusals that store nothing lock a key that never frees their slots, also where no profile adds to them", async () => {
  const id = "the-slot-of-a-request-that-could-not-be-stored-is-never-freed";
  const change = broken.find((subject) => subject.id === id)?.change ?? {};
  const chosen = cases.filter((item) => ["NOT-STORED-REFUSED", "ALWAYS-WITHIN-LIMITS"].includes(item.id));
  const { results } = await judgeSubject(id, change, "spec", chosen);
  expect(results.map(({ outcome }) => outcome)).toContain("fail");
});

test("what many ways to end a request show together is told where the search for the one comes to too much", async () => {
  const chosen = cases.filter(({ id }) => id === "IN-FLIGHT-FREED");
  const { results } = await judgeSubject("counts methods", countsMethods, "spec", chosen);
  const expected: unknown = expect.stringMatching(
    /^120 requests of a key let in, after one that was .*, and \d+ others$/,
  );
  expect(results[0]?.findings?.[0]).toMatchObject({ expected });
});
