import { expect, test } from "vitest";
import type { Answer, Exchange } from "../http/exchange.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { mustBeGuarded } from "./flows.ts";
import type { Trial } from "./trial.ts";

const route = { path: "/route", secret: "secret" } as ConfiguredRoute;

/** `answer`: what every request gets; undefined for none. */
const trialOf = (answer: Answer | undefined): Trial => {
  const send = async (request: Exchange["request"]): Promise<Exchange> => {
    return answer === undefined
      ? { request, from: "127.0.0.1", fault: "no answer" }
      : { request, from: "127.0.0.1", answer };
  };
  return { send } as unknown as Trial;
};

const answered = (status: number, envelope: object): Answer => ({
  status,
  headers: new Map(),
  body: Buffer.from(JSON.stringify(envelope)),
});

test("an acceptance proves something only where a wrong secret is seen to be refused", async () => {
  await mustBeGuarded(trialOf(answered(401, { ok: false })), route);
  const accepted = mustBeGuarded(trialOf(answered(200, { ok: true })), route);
  await expect(accepted).rejects.toThrow("a wrong secret is accepted as well");
  const silent = mustBeGuarded(trialOf(undefined), route);
  await expect(silent).rejects.toThrow("a wrong secret got no answer: no answer");
});
