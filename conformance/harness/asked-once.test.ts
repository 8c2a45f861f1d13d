import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { OutOfTime } from "../http/harness-error.ts";
import type { Server } from "../targets/server.ts";
import { askedOnce } from "./asked-once.ts";
import { NotApplicable, Unreached } from "./case-errors.ts";

const lost = [{ fault: "connection refused" }] as unknown as Exchange[];

test("what is lost without an error is asked for a second time as well", async () => {
  let asked = 0;
  const once = askedOnce<boolean>((isLost) => isLost);
  const server = {} as Server;
  const found: boolean[] = [];
  for (let cases = 0; cases < 3; cases += 1) found.push(await once(server, "it", async () => (asked += 1) === 1));
  expect([found, asked]).toEqual([[true, false, false], 2]);
});

test.each([
  ["an answer", undefined, 1],
  ["what does not apply", new NotApplicable("no such route"), 1],
  ["a refusal", new Unreached("it was not accepted"), 1],
  ["a lost answer", new Unreached("no answer", lost), 2],
  ["the end of a case's time", new OutOfTime("the case ran out of time"), 2],
])("%s is asked for by the first case, and at most by a second one", async (_, error, times) => {
  let asked = 0;
  const once = askedOnce<number>();
  const server = {} as Server;
  const ask = async () => {
    asked += 1;
    if (error !== undefined) throw error;
    return asked;
  };
  for (let cases = 0; cases < 4; cases += 1) await once(server, "it", ask).catch(() => {});
  expect(asked).toBe(times);
  await once(server, "something else", ask).catch(() => {});
  await once({} as Server, "it", ask).catch(() => {});
  expect(asked).toBe(times + 2);
});
