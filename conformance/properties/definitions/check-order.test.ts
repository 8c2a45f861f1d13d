import { expect, test } from "vitest";
import { validRequest } from "../../interface/request.ts";
import { redact, secret } from "../../test-support/report.test-support.ts";
import type { Executor } from "../../oracle/play/executor.ts";
import type { Departure } from "../../oracle/departure.ts";
import { Learned } from "../../oracle/learned.ts";
import { watch } from "./check-order.ts";
import { responseOf } from "../../oracle/response.ts";
import type { SendStep } from "../../story/story.ts";
import { Visits } from "../../oracle/visits.ts";
import type { World } from "../../oracle/world.ts";

const request = validRequest({ path: "/", secret: "s" }, { action: "list_flows" });
const step = (more: Partial<SendStep>): SendStep => ({ do: "send", route: "route", ...more });

/** What is found of the answer to a wrong method and a wrong secret together, after those to each alone. */
function found(alone: Readonly<Record<"method" | "secret", string>>, together: string): Departure | undefined {
  const world = { learned: new Learned(), visits: new Visits() } as World;
  const watched = watch({ world, executor: {} as Executor });
  const judge = (sent: SendStep, status: number, text: string) => {
    const answer = { status, headers: new Map(), body: new TextEncoder().encode(text) };
    const at = { from: 0, to: 1 };
    const outcome = watched(
      { step: sent, routeId: "a", body: {}, at },
      responseOf({ request, from: "127.0.0.1", answer }),
    );
    return typeof outcome === "object" ? outcome : undefined;
  };
  expect(judge(step({ method: "PUT" }), 405, alone.method)).toBeUndefined();
  judge(step({ secret: "wrong" }), 401, alone.secret);
  return judge(step({ method: "PUT", secret: "wrong" }), 401, together);
}

const [method, wrong] = ["Method Not Allowed", "Unauthorized"];

test("an answer without a code is told by its text, which cannot act on a terminal", () => {
  expect(found({ method, secret: wrong }, `${wrong}\u001b[J`)).toEqual({
    clause: "ORDER-METHOD-AUTH",
    expected: "the answer to the first defect (405 Method Not Allowed)",
    actual: "401 Unauthorized\\u001b[J",
  });
});

test("figures neither tell answers apart nor hide a secret from those that take it out", () => {
  expect(found({ method: `${method} at 10:15`, secret: wrong }, wrong)?.expected).toBe(
    "the answer to the first defect (405 without a JSON object)",
  );
  const { actual = "" } = found({ method, secret: wrong }, `no such secret: ${secret}`) ?? {};
  expect(actual).toBe("401 without a JSON object");
  expect(redact(actual)).toBe(actual);
});
