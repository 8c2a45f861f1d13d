import { expect, test } from "vitest";
import { reject } from "../../plugin/answer.ts";
import { cases } from "../catalogue.ts";
import { broken } from "./broken/index.ts";
import { recoded, runStage, together, withLimits, withOutcome, withRefusals, withStage } from "./changes.ts";
import { judgeSubject } from "./judge-subject.ts";
import { isChunked } from "./limit-books.ts";
import type { Change } from "./subject.ts";

const known = new WeakSet<object>();
const ofConnection = withStage("authentication", async ({ request: { socket } }, right) =>
  known.has(socket) ? undefined : ((await right()) ?? void known.add(socket)),
);
const letIn = new Set<string | undefined>();
const ofClient = withStage("authentication", async ({ request: { socket } }, right) => {
  const outcome = await right();
  if (outcome === undefined) letIn.add(socket.remoteAddress);
  return letIn.has(socket.remoteAddress) ? undefined : outcome;
});
let last: unknown;
const mixed = withStage("body", async (exchange, right) => {
  last = exchange;
  return (await right()) ?? (last === exchange ? undefined : reject("invalid_request"));
});
let read = 0;
const takesOne = withStage("body", async (_exchange, right) => {
  const isBeside = read > 0;
  read += 1;
  const outcome = await right();
  read -= 1;
  return outcome ?? (isBeside ? reject("invalid_request") : undefined);
});

test.each([
  ["AUTH-WRONG", ofConnection, "401, also for a connection that was let in before"],
  ["CONFIG-FIELD-PAIRS", ofClient, "401, also for a client that was let in before"],
  ["IN-FLIGHT-KEY-ADDRESS", takesOne, "each of eight requests accepted whose bodies arrive side by side"],
  ["IN-FLIGHT-FREED-TIMEOUT", mixed, "each of eight requests accepted whose bodies arrive side by side"],
  [
    "REVISION-RACE",
    recoded("fail_flow", "revision_conflict", "terminal"),
    expect.stringContaining("a second fail_flow"),
  ],
])("%s tells what is wrong, not where it showed first", async (id, change, expected) => {
  const chosen = cases.filter((item) => item.id === id);
  const { results } = await judgeSubject(id, change, "spec", chosen);
  expect(results[0]?.findings?.[0]).toMatchObject({ expected });
});

const ofQuery = withStage("rate-limit", ({ request: { url = "" } }, right) =>
  url.includes("?") ? undefined : right(),
);
const secretFirst = withStage("in-flight", async (one, right) => (await runStage("authentication", one)) ?? right());
const ofChunks = withStage("in-flight", ({ request }, right) => (isChunked(request) ? undefined : right()));

test.each<[id: string, what: string, Change, clause: string]>([
  ["ORDER-LIMITS-FIRST", "a query escapes the limit", ofQuery, "RATE-KEY-PATH"],
  ["ORDER-LIMITS-FIRST", "the secret is looked at before the slots", secretFirst, "ORDER-IN-FLIGHT-AUTH"],
  ["ORDER-LIMITS-FIRST", "chunks take no slot", ofChunks, "IN-FLIGHT-8"],
  ["PROPERTY-LIMITS", "bodies have an hour", withLimits({ bodyMs: 3_600_000 }), "BODY-TIME"],
])("%s names the clause that is broken where %s", async (id, what, change, clause) => {
  const chosen = cases.filter((item) => item.id === id);
  const { results } = await judgeSubject(`${id} ${what}`, change, "spec", chosen);
  expect(results[0]?.findings?.[0]).toMatchObject({ clause });
});

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
