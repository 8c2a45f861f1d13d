/** Runs against hostile targets end, say why nothing was passed, and print nothing that acts on a terminal. */
import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { StartError } from "../../foundation/start-error.ts";
import { unexplained } from "./complaints.ts";
import { hostile } from "./index.ts";
import { complaintsAboutShortRun, shortRun, unfitReports } from "./short-run.ts";

/** Cheap ones, each for another part of the runner. `npm run hostile` judges all. */
const chosen = [
  // The transport, beyond what single exchanges (`http/faults.test.ts`) show.
  "chunks-one-byte",
  "reset-third",
  "answers-ahead",
  // The content of an answer.
  "braces-closed",
  "redirect-foreign",
  "bomb-br",
  "utf8-invalid",
  "escapes-ids",
  "escapes-headers",
  "escapes-stderr",
  "prototype",
  "types-wrong",
  "status-odd",
  // The control port.
  "control-endless",
  "control-nonsense",
  "control-redirects",
  "advance-nonsense",
  "seeds-hostile",
  "logs-hostile",
  "logs-endless",
];

test.each(chosen)("a run against %s ends, is explained, passes nothing and can be printed", async (id) => {
  const subject = hostile.find((known) => known.id === id);
  if (subject === undefined) throw new Error("there is no such target");
  expect(await complaintsAboutShortRun(subject)).toEqual([]);
});

/** Some of every theme. `npm run prove` judges with all that no stub is passed. */
const everyFifth = cases.filter(({ costly }) => costly !== true).filter((_, index) => index % 5 === 0);

test("a run of a fifth of all cases against one ends red, in a report that is fit to print", async () => {
  const subject = hostile.find(({ id }) => id === "escapes-refused");
  const run = subject && (await shortRun(subject, everyFifth));
  if (run === undefined || run instanceof StartError) throw new Error("it was not judged");
  expect(await unfitReports(run)).toEqual([]);
  expect(unexplained(run)).toEqual([]);
  expect(run.verdict.exitCode).toBe(1);
  expect(run.results).toHaveLength(everyFifth.length);
  // The gateway itself, which is not hostile, refuses bad configurations and unknown paths.
  const passed = run.results.filter(({ id, outcome, level }) => {
    return outcome === "pass" && level === "must" && !id.startsWith("CONFIG-");
  });
  expect(passed.map(({ id }) => id)).toEqual([]);
}, 60_000);
