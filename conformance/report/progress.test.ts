import { expect, test } from "vitest";
import { resultOf } from "../test-support/report.test-support.ts";
import { progress } from "./progress.ts";

/** What is shown of a run whose second case fails; each case takes so many ms, and the run is estimated at a minute. */
function shown(terminal: boolean, total: number, stepMs: number, wide = 80): string[] {
  const written: string[] = [];
  let ms = 0;
  const line = progress({
    terminal,
    write: (text) => void written.push(text),
    columns: () => wide,
    now: () => ms,
  });
  line.onEstimate(60_000, "5 minutes");
  for (let index = 0; index < total; index += 1) {
    ms += stepMs;
    line.onResult(resultOf({ id: `CASE-${index}`, outcome: index === 1 ? "fail" : "pass" }), total);
  }
  line.end();
  return written;
}

test("in a log, a run of less than a minute says nothing", () => {
  expect(shown(false, 100, 500)).toEqual([]);
});

test("in a log, a long one says each minute how far it is", () => {
  expect(shown(false, 5, 30_000)).toEqual([
    "2/5 cases, 1 not passed, longer than estimated, 5 minutes at most, CASE-1\n",
    "4/5 cases, 1 not passed, longer than estimated, 5 minutes at most, CASE-3\n",
  ]);
});

test("on a terminal it is one line with what is left, the budget and the case, and is gone at the end", () => {
  const written = shown(true, 3, 10_000);
  expect(written).toEqual([
    "\r\u001b[K1/3 cases, 0 not passed, 50 s left, 5 minutes at most, CASE-0",
    "\r\u001b[K2/3 cases, 1 not passed, 40 s left, 5 minutes at most, CASE-1",
    "\r\u001b[K3/3 cases, 1 not passed, 30 s left, 5 minutes at most, CASE-2",
    "\r\u001b[K",
  ]);
});

test("one case is no several", () => {
  expect(shown(true, 1, 10_000)[0]).toContain("1/1 case, 0 not passed, ");
});

test("on a terminal it fits the terminal, or it could not be rewritten", () => {
  for (const text of shown(true, 3, 10_000, 40)) expect(text.length - 4).toBeLessThan(40);
});

test("on a terminal, a notice stands on a line of its own", () => {
  const written: string[] = [];
  const { onNotice, end } = progress({ terminal: true, write: (text) => void written.push(text) });
  onNotice("FAIL      A: slower");
  onNotice("word ".repeat(20));
  end();
  expect(written).toEqual([
    "\r\u001b[KFAIL      A: slower\n",
    `\r\u001b[K${"word ".repeat(16).trim()}\n  word word word word\n`,
  ]);
});
