import { expect, test } from "vitest";
import { reject } from "../../plugin/answer.ts";
import { cases } from "../catalogue.ts";
import { recoded, withStage } from "./changes.ts";
import { judgeSubject } from "./judge-subject.ts";
import { letsIn } from "./lets-in.ts";

const known = new WeakSet<object>();
const ofConnection = withStage("authentication", async ({ request: { socket } }, right) =>
  known.has(socket) ? undefined : ((await right()) ?? void known.add(socket)),
);
const ofLongStart = letsIn(({ presented, secret }) => secret !== "" && presented.startsWith(secret.slice(0, 64)));
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
  ["AUTH-WRONG", ofConnection, "401 for another secret on a connection that was let in before"],
  ["AUTH-NON-ASCII", ofLongStart, "the secret with another last character refused (401)"],
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
