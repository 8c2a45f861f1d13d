import { expect, test } from "vitest";
import { check, mustAccept } from "../harness/checks.ts";
import { createFlow } from "../interface/bodies.ts";
import type { HandlerFactory } from "../targets/in-process.ts";
import { caseOf, inProcess, judged } from "../test-support/gateway.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";

/** Closes the connection of every client at these addresses. */
const losing =
  (lost: readonly string[]): HandlerFactory =>
  async (setup) => {
    const answer = await handler(setup);
    return async (request, response) =>
      lost.includes(request.socket.remoteAddress ?? "") ? request.socket.destroy() : answer(request, response);
  };

test.concurrent.each([
  [["127.0.1.1", "127.0.1.3"], true],
  [["127.0.1.1", "127.0.1.3", "127.0.1.5"], false],
])("a target that answers nobody at %j is judged from several addresses: %s", async (lost, expected) => {
  const target = inProcess({ clientAddresses: undefined }, losing(lost));
  const { capabilities } = await judged(target, [caseOf("ANY")]);
  expect(capabilities.includes("addresses")).toBe(expected);
});

test.concurrent(
  "a target that has just kept silent is asked once more for a moment only, and then replaced",
  async () => {
    const heldMs: number[] = [];
    let [starts, stalls] = [0, false];
    const stalling: HandlerFactory = async (setup) => {
      const answer = await handler(setup);
      const isFirst = (starts += 1) === 1;
      return async (request, response) => {
        if (!isFirst || !stalls) return answer(request, response);
        const since = performance.now();
        response.on("close", () => heldMs.push(performance.now() - since));
        return new Promise(() => {});
      };
    };
    const halts = caseOf("HALTS", {
      async run(trial) {
        stalls = true;
        mustAccept(await trial.post(createFlow("any")));
      },
    });
    const target = inProcess({ requestTimeoutMs: 3000 }, stalling);
    const { of } = await judged(target, [halts]);
    expect([starts, of("HALTS").outcome]).toEqual([2, "pass"]);
    const [ofCase = 0, look = 0, again = 0, ...others] = heldMs;
    expect(others).toEqual([]);
    expect(Math.min(ofCase, look)).toBeGreaterThan(2000);
    expect(again).toBeLessThan(2000);
  },
);

test.concurrent("behind the estimate, at which a debugger attaches, only the requests of the case come", async () => {
  const paths: (string | undefined)[] = [];
  let own = "";
  const seeing: HandlerFactory = async (setup) => {
    const answer = await handler(setup);
    return (request, response) => (paths.push(request.url), answer(request, response));
  };
  const fails = caseOf("FAILS", {
    async run(trial) {
      own = trial.route.path;
      check((await trial.post(createFlow("any"))).answer === undefined, "none", "an answer");
    },
  });
  const target = inProcess({}, seeing);
  const onEstimate = async () => void paths.splice(0);
  const { of } = await judged({ ...target, isInspected: true }, [fails], { onEstimate });
  expect(of("FAILS").outcome).toBe("fail");
  expect(paths).toEqual([own]);
});
