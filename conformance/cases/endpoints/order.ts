/**
 * Section 4: the order of the five checks. Most statuses are open, so the cases learn the target's answer to each defect
 * alone, send both and expect the first check's answer. The later check must have no side effect: no budget, no slot.
 */
import { refusalIds, refusals, spoilt, type Check, type RefusalId } from "../../interface/broken-requests.ts";
import { withHeader, withoutHeader } from "../../interface/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, setUp, twin } from "../../harness/checks.ts";
import { acceptedSoon, cheap, fill, hold, keyOf, refusedNext, spend, type Key } from "../../harness/limit-keys.ts";
import { engage, fingerprint } from "../../harness/refusals.ts";
import { answeredSoon } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { usedUp } from "../../harness/used-up.ts";

/** A refusal as the ids of the cases below name it. */
interface Defect {
  readonly id: RefusalId;
  readonly name: string;
  readonly check: Check;
  readonly what: string;
  /** It lies in the state of the key, not in the request. */
  readonly ofKey: boolean;
}

const names: Partial<Record<RefusalId, string>> = { "BAD-JSON": "BODY", "TOO-LARGE": "BODY-SIZE" };

const defects = refusalIds
  .filter((id) => id !== "TIMEOUT")
  .map((id): Defect => {
    const { check, what } = refusals[id];
    return { id, name: names[id] ?? id, check, what, ofKey: check === "RATE" || check === "IN-FLIGHT" };
  });

/** The answers to each defect alone and to all at once, and the key that this was sent to. */
interface Answers {
  readonly alone: readonly Exchange[];
  readonly together: Exchange;
  readonly key: Key;
}

/**
 * What stands in the request is learned at a key that accepts the right one; then all of it is sent to a key that is in
 * the state, where a defect is one of state.
 */
async function answersTo(trial: Trial, chosen: readonly Defect[]): Promise<Answers> {
  const right = cheap(trial, keyOf(trial));
  twin(await trial.send(right));
  const alone = new Map<Defect, Exchange>();
  for (const defect of chosen) {
    if (defect.ofKey) continue;
    const exchange = await trial.send(spoilt(right, defect.id));
    if (exchange.answer === undefined || isAccepted(exchange))
      throw new Unreached(`${defect.what} alone was not refused: ${describe(exchange)}`, [exchange]);
    alone.set(defect, exchange);
  }
  let key = keyOf(trial);
  for (const defect of chosen) {
    const engaged = await engage(trial, defect.id);
    if (engaged === undefined) continue;
    key = engaged.key;
    if (engaged.refusal.answer === undefined)
      throw new Unreached(`${defect.what} alone was not answered: ${describe(engaged.refusal)}`, [engaged.refusal]);
    alone.set(defect, engaged.refusal);
  }
  const request = spoilt(cheap(trial, key), ...chosen.map(({ id }) => id));
  const together = await trial.send(request, key.from);
  return { alone: chosen.map((defect) => alone.get(defect) as Exchange), together, key };
}

/** The answer to all defects must be that to the first, which must differ from the others. */
async function judgeFirst(trial: Trial, chosen: readonly Defect[], tries = 2): Promise<void> {
  const [first] = chosen as [Defect];
  const { alone, together, key } = await answersTo(trial, chosen);
  const [expected, ...others] = alone.map(fingerprint);
  if (others.includes(expected as string)) {
    throw new NotApplicable(`${chosen.map(({ what }) => what).join(" and ")} are answered alike`);
  }
  // A window that is aligned to the clock may have ended meanwhile, and with it the key's state.
  const isOver = async () => first.ofKey && isAccepted(await trial.send(cheap(trial, key), key.from));
  if (fingerprint(together) !== expected && tries > 1 && (await isOver())) return judgeFirst(trial, chosen, tries - 1);
  const wanted = `the answer to ${first.what} (${describe(alone[0] as Exchange)})`;
  check(fingerprint(together) === expected, wanted, describe(together), together);
}

/** Without the secret in a place of its own, the body behind it is not judged either. */
async function judgeSecretPlaces(trial: Trial, second: Defect): Promise<void> {
  const bare = withoutHeader(trial.right(trial.cheapBody), "authorization");
  const unauthenticated = [bare, withHeader(bare, `x-${trial.product}-webhook-secret`, "wrong")];
  for (const right of unauthenticated) {
    const alone = mustRefuse(await trial.send(right));
    const together = await trial.send(spoilt(right, second.id));
    const wanted = `the answer without ${second.what} (${describe(alone)})`;
    check(fingerprint(together) === fingerprint(alone), wanted, describe(together), together);
  }
}

function pairCase(first: Defect, second: Defect): Case {
  return {
    id: `ORDER-${first.name}-BEFORE-${second.name}`,
    title: `With ${first.what} and ${second.what}, the answer is that to ${first.what}`,
    clauses: [clauseOf(first, second)],
    meetsLimits: true,
    requests: 2 * REQUESTS_PER_WINDOW,
    reading:
      "Told by the target's own answers to each defect alone; where those are alike the pair cannot be told apart so.",
    async run(trial) {
      await judgeFirst(trial, [first, second]);
      if (first.check === "AUTH") await judgeSecretPlaces(trial, second);
    },
  };
}

function clauseOf(first: Defect, second: Defect): ClauseId {
  return `ORDER-${first.check}-${second.check}` as ClauseId;
}

/** Every pair of checks in their order; two states of one key need a way of their own, below. */
const pairs: readonly Case[] = defects.flatMap((first, index) =>
  defects
    .slice(index + 1)
    .filter((second) => first.check !== second.check && !(first.ofKey && second.ofKey))
    .map((second) => pairCase(first, second)),
);

/** Three defects at once. */
const triples: readonly (readonly [string, string, string])[] = [
  ["METHOD", "RATE", "AUTH"],
  ["CONTENT-TYPE", "RATE", "BODY"],
  ["METHOD", "AUTH", "BODY"],
  ["RATE", "AUTH", "BODY"],
  ["IN-FLIGHT", "AUTH", "BODY"],
];

const tripleCases: readonly Case[] = triples.map((names) => {
  const chosen = names.map((name) => defects.find((defect) => defect.name === name)) as [Defect, Defect, Defect];
  const [first, second, third] = chosen;
  return {
    ...pairCase(first, second),
    id: `ORDER-${first.name}-BEFORE-${second.name}-AND-${third.name}`,
    title: `With ${first.what}, ${second.what} and ${third.what}, the answer is that to ${first.what}`,
    clauses: [clauseOf(first, second), clauseOf(first, third)],
    run: (trial) => judgeFirst(trial, chosen),
  };
});

const budgetCommon = {
  costly: true,
  meetsLimits: true,
  requests: 2 * REQUESTS_PER_WINDOW + 40,
} as const;

/** Sends requests that have the defect; unreached where one is accepted. */
async function spendRefused(trial: Trial, key: Key, count: number, { id, what }: Defect): Promise<void> {
  const accepted = (await spend(trial, key, count, spoilt(cheap(trial, key), id))).find(isAccepted);
  if (accepted !== undefined) throw new Unreached(`${what} was not refused`, [accepted]);
}

/** Defects of the first check, each with a number of requests of its own, so that a budget that is too small names them. */
const unspent = defects.slice(0, 2).map((defect, index) => ({ defect, times: 20 * (index + 1) }));

/** Longest wait for an answer that must not wait for the body, ms. */
const EARLY_MS = 4000;
const slotCommon = { meetsLimits: true, requests: 60 } as const;

/** Requests refused by method or content type hold no slot, even while their body is incomplete. */
const slotless: readonly Case[] = defects.slice(0, 2).map((defect) => ({
  ...slotCommon,
  id: `ORDER-${defect.name}-HOLDS-NO-SLOT`,
  title: `Requests with ${defect.what} are not counted as in flight while their body is owed`,
  clauses: ["ORDER-METHOD-IN-FLIGHT"],
  async run(trial) {
    const key = keyOf(trial);
    const { held } = await fill(trial, key);
    await held.finish();
    setUp(await acceptedSoon(trial, key), "a request when none is in flight");
    const request = spoilt(cheap(trial, key), defect.id);
    await hold(trial, key, IN_FLIGHT, request);
    mustAccept(await trial.send(cheap(trial, key)), `a request accepted beside eight with ${defect.what}`);
  },
}));

/** A refused request is answered without waiting for its body. */
const early: readonly Case[] = defects
  .filter(({ check }) => check !== "BODY")
  .map((defect) => ({
    ...slotCommon,
    requests: 2 * REQUESTS_PER_WINDOW,
    id: `ORDER-${defect.name}-ANSWERED-EARLY`,
    title: `With ${defect.what} the answer comes while the body is still owed`,
    clauses: ["ANSWER-EARLY"],
    level: "should",
    reading:
      "Some servers read a body through before they answer; nothing forbids it, but it holds a connection for whoever sends slowly.",
    async run(trial) {
      twin(await trial.send(cheap(trial, keyOf(trial))));
      const key = (await engage(trial, defect.id))?.key ?? keyOf(trial);
      const request = spoilt(cheap(trial, key), defect.id);
      const upload = await trial.upload(request, { from: key.from });
      await upload.write(request.body.byteLength - 1);
      const answered = await answeredSoon(trial, upload, EARLY_MS);
      check(answered, "an answer before the last byte of the body", "silence", upload.pending());
      mustRefuse(await trial.answerOf(upload));
    },
  }));

/** Whoever is asked for a body has not been refused: a client sends it for nothing. */
const asksLate: Case = {
  id: "ORDER-CONTINUE-AFTER-CHECKS",
  title: "With Expect, 100 Continue comes only when the checks before the body have passed",
  clauses: ["ANSWER-EARLY"],
  level: "should",
  meetsLimits: true,
  requests: 8,
  reading:
    "RFC 9110, 10.1.1: a server may send 100 Continue before it looks at the request, but then it asks for a body that it will not read.",
  async run(trial) {
    const right = withHeader(cheap(trial, keyOf(trial)), "expect", "100-continue");
    twin(await trial.finish(await trial.upload(right)));
    for (const { id, what } of defects.filter(({ check, ofKey }) => check !== "BODY" && !ofKey)) {
      const upload = await trial.upload(spoilt(right, id));
      await answeredSoon(trial, upload, EARLY_MS);
      check(!upload.continued, `no 100 Continue with ${what}`, "100 Continue", upload.pending());
      await trial.finish(upload);
    }
  },
};

export const orderCases: readonly Case[] = [
  ...pairs,
  ...tripleCases,
  ...slotless,
  ...early,
  asksLate,
  {
    ...budgetCommon,
    id: "ORDER-CONTENT-TYPE-SPENDS-NO-BUDGET",
    title: "Requests with another method or content type spend nothing of the rate limit's budget",
    clauses: ["ORDER-METHOD-RATE"],
    async run(trial) {
      const key = keyOf(trial);
      for (const { defect, times } of unspent) await spendRefused(trial, key, times, defect);
      const exchanges = await spend(trial, key, REQUESTS_PER_WINDOW);
      const refused = exchanges.filter((exchange) => !isAccepted(exchange));
      const [first] = refused;
      if (first !== undefined) {
        const blamed = unspent.find(({ times }) => times === refused.length) ?? unspent[1];
        const what = `${blamed?.times} with ${blamed?.defect.what}`;
        throw new Failure(`120 requests accepted after ${what}`, describe(first), [first]);
      }
      // Only a budget that can be used up shows that nothing of it was.
      await refusedNext(trial, key);
    },
  },
  {
    ...budgetCommon,
    id: "ORDER-RATE-BEFORE-IN-FLIGHT",
    title: "With no budget left and eight requests in flight, the answer is the rate limit's",
    clauses: ["ORDER-RATE-IN-FLIGHT"],
    async run(trial) {
      const inFlightAlone = (await fill(trial, keyOf(trial, { route: trial.sibling }))).refusal;
      const rateAlone = (await usedUp(trial)).refusal;
      if (fingerprint(inFlightAlone) === fingerprint(rateAlone))
        throw new NotApplicable("both limits are answered alike");
      // Requests refused by the in-flight limit spend the budget; one window may end meanwhile, not two.
      const key = keyOf(trial, { route: trial.stranger });
      await hold(trial, key, IN_FLIGHT);
      await spend(trial, key, REQUESTS_PER_WINDOW - IN_FLIGHT);
      const wanted = `the rate limit's answer (${describe(rateAlone)})`;
      for (let more = 0; more <= REQUESTS_PER_WINDOW; more += 1) {
        const both = await trial.send(cheap(trial, key), key.from);
        if (fingerprint(both) === fingerprint(rateAlone)) return;
        if (both.answer === undefined) throw new Unreached("a request was not answered", [both]);
      }
      throw new Failure(wanted, describe(trial.last[0] as Exchange), trial.last);
    },
  },
];
