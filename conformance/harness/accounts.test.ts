/** Accounts of one key judge small logs: each line is some requests, when they were sent and answered, and how. */
import { expect, test } from "vitest";
import { Account, type End, type AccountEntry, type Excess } from "./accounts.ts";

/** So many requests, each sent at once with the others at `at` and answered `took` later. Times are in seconds. */
interface Line {
  readonly count?: number;
  readonly at: number;
  readonly took?: number;
  /** What has passed on the target's clock when it is driven; the same as in reality where it is not. */
  readonly clock?: number | readonly [least: number, most: number];
  /** Absent for one that has no answer; `gave up`: its connection was closed. */
  readonly end?: End | "gave up";
  readonly from?: string;
}

function judge(lines: readonly Line[], { opensFirst = false, isShared = false } = {}): Excess[] {
  const account = Object.assign(new Account(opensFirst), { isShared });
  const moment = (at: number, clock: Line["clock"] = at) => {
    const [least, most] = typeof clock === "number" ? [clock, clock] : clock;
    return { real: at * 1000, least: least * 1000, most: most * 1000 };
  };
  return lines.flatMap(({ count = 1, at, took = 0.001, clock, end, from = "127.1.0.1" }) => {
    const all = Array.from({ length: count }, (): AccountEntry => account.sends({ from, sent: moment(at, clock) }));
    if (end === undefined) return [];
    const over = moment(at + took, clock ?? at + took);
    if (end !== "gave up") return all.flatMap((entry) => account.ends(entry, over, end) ?? []);
    for (const entry of all) entry.over = { ...over, most: Infinity };
    return [];
  });
}

const WITHIN = "refused within both limits";
const BEYOND = "let in beyond 120";
const letIn = (count: number, at: number, more: Partial<Line> = {}): Line => ({ count, at, end: "let in", ...more });
const refused = (at: number, more: Partial<Line> = {}): Line => ({ at, end: "a limit", ...more });

const lawful: Readonly<Record<string, readonly Line[]>> = {
  "120 let in, and then one refused": [letIn(120, 0), refused(9)],
  "the next window": [letIn(120, 0), refused(9), letIn(120, 62), refused(70)],
  "a window by the clock that ends behind 120 at once": [letIn(120, 0), letIn(120, 1), refused(9)],
  "windows by the clock, watched across an end": [letIn(120, 0), refused(9), letIn(120, 10), refused(20)],
  "a ninth beside eight that are held": [{ count: 8, at: 0 }, refused(5)],
  "a slot that comes free late": [letIn(8, 0), refused(2)],
  "a connection that was closed, whose request is counted later": [
    { count: 60, at: 0, end: "gave up" },
    letIn(60, 62),
    refused(70),
  ],
  "what may be counted or not": [{ count: 60, at: 0, end: "unknown" }, letIn(60, 1), refused(9)],
  "a driven clock that is on its way": [letIn(120, 0, { clock: 0 }), letIn(120, 1, { clock: [0, 61] })],
  "a driven clock that has moved on": [letIn(120, 0, { clock: 0 }), letIn(120, 1, { clock: 30 })],
  "two addresses of which it is not known whether they share": [
    letIn(120, 0, { clock: 0 }),
    letIn(120, 1, { clock: 0, from: "127.1.0.2" }),
  ],
  "the window of one address that is over while that of another one is not": [
    letIn(120, 0),
    letIn(120, 30, { from: "127.1.0.2" }),
    refused(35),
    letIn(1, 62),
    refused(70, { from: "127.1.0.2" }),
  ],
  "a refusal of the limit that its code names": [letIn(120, 0, { clock: 0 }), refused(0.1, { clock: 0, end: "rate" })],
};

test.each(Object.entries(lawful))("a target is not blamed for %s", (_what, lines) => {
  expect(judge(lines)).toEqual([]);
});

const wrong: Readonly<Record<string, readonly [readonly Line[], Excess]>> = {
  "a 61st refused": [[letIn(60, 0), refused(9)], WITHIN],
  "a 61st refused for the rate, as its code says": [[letIn(60, 0), refused(0.1, { end: "rate" })], WITHIN],
  "an eighth refused beside seven": [[{ count: 7, at: 0 }, refused(5)], WITHIN],
  "a ninth that slots would refuse, and the rate does": [[{ count: 8, at: 0 }, refused(5, { end: "rate" })], WITHIN],
  "a slot that a closed connection keeps": [[{ count: 8, at: 0, end: "gave up" }, refused(5)], WITHIN],
  "a refusal in the next window": [[letIn(120, 0), refused(62)], WITHIN],
  "a 121st let in while a driven clock stands still": [[letIn(121, 0, { clock: 0 })], BEYOND],
  "one let in behind a refusal while the clock stands still": [
    [letIn(120, 0, { clock: 0 }), refused(9, { clock: 0 }), letIn(1, 10, { clock: 0 })],
    BEYOND,
  ],
  "more than two windows let in": [[letIn(241, 0)], BEYOND],
  "one let in on a used key, and the next refused": [[letIn(120, 0), refused(9), letIn(1, 10), refused(20)], WITHIN],
};

test.each(Object.entries(wrong))("%s is a finding", (_what, [lines, excess]) => {
  expect(judge(lines)).toEqual([excess]);
});

test("where a key's first request opens its window, a 121st within it is a finding on any clock", () => {
  const lines = [letIn(120, 0), letIn(1, 50)];
  expect(judge(lines)).toEqual([]);
  expect(judge(lines, { opensFirst: true })).toEqual([BEYOND]);
  expect(judge([letIn(120, 0), letIn(1, 59.5)], { opensFirst: true })).toEqual([]);
});

test("a key that others use as well is refused at any time", () => {
  expect(judge([letIn(1, 0), refused(9)], { isShared: true })).toEqual([]);
});

test("a lawful log in which one refusal is made an acceptance, or one acceptance a refusal, is not lawful any more", () => {
  const log = [letIn(119, 0, { clock: 0 }), letIn(1, 9, { clock: 0 }), refused(15, { clock: 0 })];
  const falsified = (at: number, end: End) => log.map((line, index) => (index === at ? { ...line, end } : line));
  expect(judge(log)).toEqual([]);
  expect(judge(falsified(1, "a limit"))).toContain(WITHIN);
  expect(judge(falsified(2, "let in"))).toEqual([BEYOND]);
});
