/** Runs against hostile targets end, say why nothing was passed, and print nothing that acts on a terminal. */
import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { StartError } from "../../foundation/start-error.ts";
import { unexplained, complaintsAboutShortRun, shortRun, unfitReports } from "./short-run.ts";
import { hostile } from "./index.ts";

/** Cheap ones, each for another part of the runner. `npm run hostile` judges all. */
const chosen = [
  // The transport, beyond what single exchanges (`http/faults.test.ts`) show.
  "answers with chunks of one byte without end",
  "resets every third request",
  "answers twice, so that the next request on the connection finds its answer there, and then keeps silent",
  // The content of an answer.
  "answers with 100,000 objects within each other",
  "redirects to another host (of a network that is kept for documents)",
  "answers with 100 MB of zeros, as brotli",
  "answers with bytes that are no UTF-8 in code, error and ids",
  "accepts everything, with terminal codes in the flow's id, status and goal",
  "answers with codes of the C1 range in header values",
  "refuses everything and writes terminal codes and a very long line to stderr for each request",
  "accepts everything, with results that name the prototype",
  "accepts everything, with each field of another type",
  "answers with status 999",
  // The control port.
  "answers the first control call without end",
  "answers control calls with what is no JSON",
  "redirects control calls to another host",
  "answers the moving of the clock with terminal codes",
  "gives ids with terminal codes for seeded flows",
  "gives log lines with terminal codes, one of them of four million characters",
  "gives log lines without end",
];

test.each(chosen)("a run against one that %s ends, is explained, passes nothing and can be printed", async (what) => {
  const subject = hostile.find(({ does }) => does === what);
  if (subject === undefined) throw new Error("there is no such target");
  expect(await complaintsAboutShortRun(subject)).toEqual([]);
});

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
