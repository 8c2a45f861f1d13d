/** Section 8: what a request may be refused for behind the rate limit without being taken off its budget. */
import { change, createFlow } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { withBody, type Request } from "../../interface/request.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { Failure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { failing } from "../../harness/faults.ts";
import { changed, waitingFlow } from "../../harness/flows.ts";
import { acceptedSoon, cheap, firstRefusal, hold, keyOf, spend, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";

/** Requests of one kind. Each kind has another number of them, so that the number of those not counted names it. */
interface Kind {
  readonly what: string;
  readonly times: number;
  /** Absent where the kind has a way of its own. */
  request?(key: Key): Request;
}

const inFlight: Kind = { what: "with eight requests in flight", times: 16 };
const late: Kind = { what: "with a body that ran out of time", times: IN_FLIGHT };
const unstored: Kind = { what: "with a flow that cannot be stored", times: 9 };

/** What the requests themselves are refused for, by the authentication, by the body, and by the action. */
async function spoiltKinds(trial: Trial): Promise<Kind[]> {
  const flow = await waitingFlow(trial);
  await changed(trial, "set_waiting", flow);
  const body = (of: object) => (key: Key) => withBody(cheap(trial, key), JSON.stringify(of));
  return [
    { what: "with a wrong secret", times: 11, request: (key) => spoilt(cheap(trial, key), "AUTH") },
    { what: "with a body that is no JSON", times: 12, request: (key) => spoilt(cheap(trial, key), "BAD-JSON") },
    { what: "with a stale revision", times: 13, request: body(change("finish_flow", flow)) },
    {
      what: "for an absent flow",
      times: 14,
      request: body(change("finish_flow", { flowId: "no-such-flow", revision: 0 })),
    },
    { what: "without a required field", times: 15, request: body({ action: "finish_flow" }) },
  ];
}

/** Sends what a limit on requests in flight refuses, and waits until slots are free again. Returns how many were sent. */
async function refuseInFlight(trial: Trial, key: Key): Promise<{ sent: number; refused: boolean }> {
  const { finish } = await hold(trial, key, IN_FLIGHT);
  const before = trial.requests;
  const refused = !(await spend(trial, key, inFlight.times)).some(isAccepted);
  await finish();
  await acceptedSoon(trial, key);
  return { sent: trial.requests - before, refused };
}

/** Lets bodies run out of time, which takes 15.5 seconds of the target's. */
async function runOut(trial: Trial, key: Key): Promise<number> {
  const { uploads } = await hold(trial, key, late.times);
  const before = trial.requests;
  await trial.pass(15_500);
  for (const upload of uploads) {
    if (!(await upload.answeredWithin(2500))) throw new Unreached("a body that was late was not refused");
    const exchange = await trial.answerOf(upload);
    if (isAccepted(exchange)) throw new Unreached("a body that was late was not refused", [exchange]);
  }
  await acceptedSoon(trial, key);
  return trial.requests - before;
}

interface Spent {
  /** Requests that the key has to have counted. */
  readonly count: number;
  /** The kinds that were refused as they should be. */
  readonly kinds: readonly Kind[];
}

/** Sends all kinds that the target can be brought to. */
async function sendAll(trial: Trial, key: Key, spoilt: readonly Kind[]): Promise<Spent> {
  const kinds: Kind[] = [];
  const beside = await refuseInFlight(trial, key);
  let count = beside.sent;
  if (beside.refused) kinds.push(inFlight);
  if (trial.driven) {
    count += await runOut(trial, key);
    kinds.push(late);
  }
  for (const kind of spoilt) {
    const accepted = (await spend(trial, key, kind.times, kind.request?.(key))).find(isAccepted);
    if (accepted !== undefined) throw new Unreached(`a request ${kind.what} was not refused`, [accepted]);
    count += kind.times;
    kinds.push(kind);
  }
  if (trial.instance.control?.capabilities.has("persistence") === true) {
    const request = withBody(cheap(trial, key), JSON.stringify(createFlow("not stored")));
    await failing(trial, "create", async () => {
      const accepted = (await spend(trial, key, unstored.times, request)).find(isAccepted);
      if (accepted === undefined) kinds.push(unstored);
    });
    count += unstored.times;
  }
  return { count, kinds };
}

/** How many requests more than the budget has left are accepted. */
async function uncounted(trial: Trial, key: Key, left: number): Promise<number> {
  const early = firstRefusal(await spend(trial, key, left));
  if (early !== undefined) throw new Failure(`${left} more requests accepted`, describe(early), [early]);
  for (let more = 0; more <= REQUESTS_PER_WINDOW; more += 1) {
    const exchange = await trial.send(cheap(trial, key), key.from);
    if (exchange.answer === undefined) throw new Unreached("a request beyond the budget got no answer", [exchange]);
    if (!isAccepted(exchange)) return more;
  }
  throw new Unreached("no request was refused by the rate limit, so nothing can be seen of it", trial.last);
}

export const spentBudgetCases: readonly Case[] = [
  {
    id: "RATE-REFUSALS-COUNT",
    title: "Requests that are refused behind the rate limit, for whatever reason, spend its budget",
    clauses: ["RATE-120", "ORDER-RATE-IN-FLIGHT", "ORDER-RATE-AUTH", "ORDER-RATE-BODY"],
    costly: true,
    meetsLimits: true,
    alone: true,
    clock: "driven",
    requests: 2 * REQUESTS_PER_WINDOW,
    reading:
      "120 requests of a key pass in a window, whatever becomes of them: a check behind the rate limit has been reached " +
      "only through it. Bodies run out of time where the clock can be driven, and flows cannot be stored where the " +
      "control port makes it so. A window aligned to the clock may end on the way; then the same is seen at another key.",
    async run(trial) {
      const kinds = await spoiltKinds(trial);
      const visit = everyCell(
        trial,
        [inFlight, late, ...kinds, unstored].map(({ what }) => what),
        ["counted"],
      );
      const other = trial.toldApart ? { from: trial.freshAddress() } : { route: trial.stranger };
      let [more, judged]: [number, readonly Kind[]] = [0, []];
      for (const key of [keyOf(trial, { route: trial.sibling }), keyOf(trial, other)]) {
        const sent = await sendAll(trial, key, kinds);
        more = await uncounted(trial, key, REQUESTS_PER_WINDOW - sent.count);
        judged = sent.kinds;
        if (more === 0) break;
      }
      const blamed = judged.find(({ times }) => times === more)?.what ?? "of some kind";
      if (more > 0)
        throw new Failure("every refused request counted", `${more} not counted, as if those ${blamed}`, trial.last);
      for (const { what } of judged) visit(what, "counted");
    },
  },
];
