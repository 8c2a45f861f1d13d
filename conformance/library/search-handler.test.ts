import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { searchHandler, UsageError } from "./index.ts";
import type { HandlerFactory } from "../targets/handler.ts";
import { handler } from "../test-support/handler.test-support.ts";

/** It accepts whatever comes, at once: what holds a slot is not waited for. */
const hasty: HandlerFactory = () => {
  let flows = 0;
  return (request, response) => {
    const result = { flow: { flowId: `flow-${++flows}`, revision: 0 } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: true, routeId: request.url?.split("/").at(-1), result }));
  };
};

test("an unfinished handler is found out, with stories that can be replayed, and no folder is left", async () => {
  let stateDir = "";
  const { requests, found, unreached } = await searchHandler(
    (setup) => {
      ({ stateDir } = setup);
      return hasty(setup);
      // With this seed no story waits seconds for a slot that never comes free.
    },
    { seed: 3 },
  );
  expect(requests).toBeGreaterThan(10);
  // One flow for all is soon another's: hardly anything is left to look for leaks in, or to store.
  expect(unreached.map(({ property }) => property)).toEqual(["PROPERTY-LEAKAGE", "PROPERTY-NOT-STORED"]);
  const order = found.find(({ property }) => property === "PROPERTY-ORDER");
  expect(order).toMatchObject({ expected: "a refusal", actual: "200 ok:true", story: { requests: 1 } });
  expect(order?.story.replay).toMatchObject({
    property: "PROPERTY-ORDER",
    seed: 3,
    profile: "spec",
    target: "a handler",
  });
  expect(stateDir).not.toBe("");
  expect(existsSync(stateDir)).toBe(false);
}, 60_000);

test("what a handler throws is told", async () => {
  const { found, thrown } = await searchHandler(() => () => {
    throw new Error("not written yet");
  });
  expect(found.length).toBeGreaterThan(0);
  expect(thrown).toBe("the handler threw: not written yet");
}, 60_000);

test.each([
  ["no function", () => searchHandler("handler.mjs" as never)],
  ["no seed", () => searchHandler(handler, { seed: -1 })],
  ["no runs", () => searchHandler(handler, { runs: 0 })],
  ["no such profile", () => searchHandler(handler, { profile: "strict" })],
])("%s is refused", async (_, call) => {
  await expect(call()).rejects.toThrow(UsageError);
});

test("a search that is broken off rejects with the signal's reason", async () => {
  const abort = new AbortController();
  let stories = 0;
  const searching = searchHandler(
    (setup) => {
      stories += 1;
      if (stories === 5) abort.abort(new Error("enough"));
      return handler(setup);
    },
    { signal: abort.signal },
  );
  await expect(searching).rejects.toThrow("enough");
}, 60_000);
