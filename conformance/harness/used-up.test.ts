import { expect, test } from "vitest";
import type { Request } from "../interface/request.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Server } from "../targets/server.ts";
import type { Trial } from "./trial.ts";
import { usedUp } from "./used-up.ts";

const answer = (status: number, envelope: object) => ({
  status,
  headers: new Map<string, readonly string[]>(),
  body: Buffer.from(JSON.stringify(envelope)),
});

/** Two cases on one target, whose `faulty`-th request is answered otherwise; each key has 120. */
function twoCases(faulty: number, fault: Pick<Exchange, "answer" | "fault">): readonly Trial[] {
  let sent = 0;
  let addresses = 0;
  const counts = new Map<string, number>();
  const send = async (request: Request, from: string): Promise<Exchange> => {
    sent += 1;
    if (sent === faulty) return { request, from, ...fault };
    const count = (counts.get(from) ?? 0) + 1;
    counts.set(from, count);
    const said = count <= 120 ? answer(200, { ok: true, routeId: "a", result: {} }) : answer(429, { ok: false });
    return { request, from, answer: said };
  };
  const server = {} as Server;
  const route = { path: "/a", secret: "s" };
  const freshAddress = () => `127.0.0.${(addresses += 1)}`;
  const common = {
    server,
    route,
    facts: { cheapBody: {}, inFlightToldApart: true, stalls: false },
    toldApart: true,
    send,
    freshAddress,
  };
  return [{ ...common }, { ...common }] as unknown as Trial[];
}

const seen = (trials: readonly Trial[]) =>
  Promise.all(
    trials.map((trial) =>
      usedUp(trial).then(
        () => "used up",
        (error: Error) => error.constructor.name,
      ),
    ),
  );

const cut = { fault: "connection closed without a whole answer" };
test.each([
  ["a fault of the transport is the bad luck of the case that met it alone", 50, cut, ["Unreached", "used up"]],
  [
    "a refusal within the budget is told by all cases, and the budget not used up again",
    50,
    { answer: answer(429, { ok: false }) },
    ["Unreached", "Unreached"],
  ],
  ["a refusal of the 121st request that never came is so, too", 121, cut, ["Unreached", "used up"]],
])("%s", async (_, faulty, fault, ends) => {
  expect(await seen(twoCases(faulty, fault))).toEqual(ends);
});
