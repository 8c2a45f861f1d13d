/**
 * `npm run hostile`: runs against hostile targets end, say why nothing was passed, and neither print what acts on a terminal
 * nor leave anything behind. Each target meets a few cases in this process; those that cost a runner the most, the command line.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { StartError } from "../../foundation/start-error.ts";
import {
  complaintsAbout,
  complaintsAboutShortRun,
  shortRun,
  unexplained,
  unfitReports,
} from "./short-run.test-support.ts";
import { wholeRun } from "./whole-run.test-support.ts";
import type { Hostile } from "./hostile.ts";
import { hostile } from "./index.ts";
import { stalls } from "./transport.ts";

/** Those of the other lists that cost a runner the most. */
const costly = [
  "sends its head at one byte a second",
  "sends its body at one byte a second",
  "sends 103 Early Hints without end",
  "sends a chunk extension without end",
  "keeps silent to everything from the first case on, after every start",
  "answers everything with a success that holds 50,000 flows",
  "accepts everything, with an id of a megabyte and a revision beyond every integer",
  "answers the first control call without end",
  "never answers when the clock is moved on",
  "gives log lines without end",
];

/** One for each way to keep a runner busy; all others are caught by the same bounds. */
const representative = ({ id, does }: Hostile): boolean =>
  costly.includes(does) || stalls.some((subject) => subject.id === id);

/** Some of every theme. `npm run prove` judges with all that no stub is passed. */
const everyFifth = cases.filter(({ costly }) => costly !== true).filter((_, index) => index % 5 === 0);

test("a run of a fifth of all cases against one ends red, in a report that is fit to print", async () => {
  const subject = hostile.find(
    ({ does }) => does === "refuses everything with terminal codes in code, error and routeId",
  );
  const run = subject && (await shortRun(subject, everyFifth));
  if (run === undefined || run instanceof StartError) throw new Error("it was not judged");
  expect(await unfitReports(run)).toEqual([]);
  expect(unexplained(run)).toEqual([]);
  expect(run.verdict.exitCode).toBe(1);
  const judged = new Set(run.results.map(({ id }) => id));
  expect(everyFifth.filter(({ id }) => !judged.has(id))).toEqual([]);
  // The gateway itself, which is not hostile, refuses bad configurations and unknown paths.
  const passed = run.results.filter(({ id, outcome, level }) => {
    return outcome === "pass" && level === "must" && !id.startsWith("CONFIG-");
  });
  expect(passed.map(({ id }) => id)).toEqual([]);
});

// They mostly wait for timeouts.
describe.concurrent("a few cases against one that", () => {
  const inProcess = hostile.filter(({ wholeRunOnly }) => wholeRunOnly !== true);
  test.each(inProcess)("$does", async (subject) => expect(await complaintsAboutShortRun(subject)).toEqual([]));
});

describe("the command line against one that", () => {
  const REQUEST_TIMEOUT_MS = 2000;
  /** Twice the time of the healthy target, s. */
  let budgetSeconds = 20;
  beforeAll(async () => {
    const healthy = await wholeRun("reference", REQUEST_TIMEOUT_MS, ["--quick"]);
    expect(complaintsAbout(healthy, { harmless: true })).toEqual([]);
    budgetSeconds = Math.max(budgetSeconds, Math.ceil(2 * healthy.seconds));
  }, 1_200_000);
  test.each(hostile.filter(representative))("$does", async ({ id, harmless = false }) => {
    const bounds = ["--quick", "--max-minutes", (budgetSeconds / 60).toFixed(3)];
    const run = await wholeRun(id, REQUEST_TIMEOUT_MS, bounds);
    expect(complaintsAbout(run, { harmless, budgetSeconds })).toEqual([]);
  });
});
