import { expect, test } from "vitest";
import { runContext } from "./context.ts";
import { Host } from "./host.ts";
import { Patience } from "./patience.ts";
import { Watch } from "./watch.ts";
import { readProfile } from "../interface/profile.ts";
import { freshKeyring } from "../targets/keyring.ts";
import { inProcessTarget, launchOfHandler } from "../targets/in-process.ts";
import type { HandlerFactory } from "../targets/handler.ts";
import { handler } from "../test-support/handler.test-support.ts";

/** Closes the connection of every client at these addresses. */
const losing =
  (...lost: string[]): HandlerFactory =>
  async (setup) => {
    const answer = await handler(setup);
    return async (request, response) =>
      lost.includes(request.socket.remoteAddress ?? "") ? request.socket.destroy() : answer(request, response);
  };

async function toldApart(makeHandler: HandlerFactory): Promise<boolean> {
  const target = inProcessTarget({ name: "mine" }, launchOfHandler(makeHandler, "webhooks"));
  const profile = await readProfile("spec", ".");
  const context = runContext({ target, profile, cases: [], keyring: freshKeyring("{name}") });
  const host = new Host({ context, watch: new Watch([]), patience: new Patience(1), variant: "standard" });
  try {
    return (await host.ensureRunning()).facts.toldApart;
  } finally {
    await host.close();
  }
}

test("answers that are lost do not make a target one that knows no addresses", async () => {
  expect(await toldApart(losing("127.0.1.1", "127.0.1.3"))).toBe(true);
});

test("a target that never answers another address knows none", async () => {
  expect(await toldApart(losing("127.0.1.1", "127.0.1.3", "127.0.1.5"))).toBe(false);
});
