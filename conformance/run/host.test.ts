import { expect, test } from "vitest";
import { inProcessTarget, launchOfHandler } from "../targets/in-process.ts";
import type { HandlerFactory } from "../targets/in-process.ts";
import { caseOf, judged } from "../test-support/gateway.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";

/** Closes the connection of every client at these addresses. */
const losing =
  (lost: readonly string[]): HandlerFactory =>
  async (setup) => {
    const answer = await handler(setup);
    return async (request, response) =>
      lost.includes(request.socket.remoteAddress ?? "") ? request.socket.destroy() : answer(request, response);
  };

test.each([
  [["127.0.1.1", "127.0.1.3"], true],
  [["127.0.1.1", "127.0.1.3", "127.0.1.5"], false],
])("a target that answers nobody at %j is judged from several addresses: %s", async (lost, expected) => {
  const target = inProcessTarget({ name: "mine" }, launchOfHandler(losing(lost), "webhooks"));
  const { capabilities } = await judged(target, [caseOf("ANY")]);
  expect(capabilities.includes("addresses")).toBe(expected);
});
