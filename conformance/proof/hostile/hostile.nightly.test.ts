/** Runs against hostile targets end, say why nothing was passed, and print nothing that acts on a terminal. */
import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { StartError } from "../../foundation/start-error.ts";
import { shortRun, unexplained, unfitReports } from "./short-run.ts";
import { hostile } from "./index.ts";

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
