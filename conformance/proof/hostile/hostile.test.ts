/** Runs against hostile targets end, say why nothing was passed, and print nothing that acts on a terminal. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Case } from "../../harness/case.ts";
import { cases } from "../../catalogue.ts";
import { readProfile } from "../../interface/profile.ts";
import { formatNames, render } from "../../report/formats.ts";
import { conclude, draftReport } from "../../report/make-report.ts";
import type { Report } from "../../report/report.ts";
import { runContext } from "../../run/context.ts";
import { run } from "../../run/run.ts";
import { keyringFor } from "../../targets/secrets-file.ts";
import { StartError } from "../../foundation/start-error.ts";
import { withSourcesFor } from "../../run/plan.ts";
import { launchedTarget, launchOf } from "../launch.ts";
import { pooled } from "../pool.ts";
import { unexplained, unfitToPrint } from "./complaints.ts";
import { content } from "./content.ts";
import { controls } from "./control.ts";
import type { Hostile } from "./hostile.ts";
import { stalls } from "./stalls.ts";
import { transport } from "./transport.ts";

/** One case for each way to send and to read back, with few requests, since each may run into its timeout. */
const overRoutes = [
  "ACTION-CREATE-FLOW",
  // Thirteen requests: whoever keeps silent to every third cannot pass it, in whatever order the cases come.
  "ACTION-GOAL-LITERALS",
  "AUTH-WRONG",
  "BODY-256000-CHUNKED",
  "ENVELOPE-HEAD-EMPTY",
  "NEVER-METADATA",
];
/** They call the control port. */
const overControl = ["CANCEL-CHILD-ENDED", "LEAK-LOG", "SESSION-SEEDED", "BODY-14-SECONDS"];
/** Request timeout, ms. */
const IMPATIENCE_MS = 800;
/** Servers and runner share this process: more at a time would only slow each other down. */
const WIDTH = 6;
/** The targets whose effect single exchanges (`http/faults.test.ts`) do not show; `npm run hostile` runs all of them. */
const chosenTransport = [
  "silence-third",
  "reset-third",
  "silence-for-good",
  "answers-ahead",
  "switches-protocols",
  "trailers-endless",
];
/** Those of the stalls that neither end this process nor take longer than the others. */
const chosenStalls = ["chunks-one-byte", "body-4-megabytes", "body-200-kilobytes"];
const subjects = [
  ...stalls.filter(({ id }) => chosenStalls.includes(id)),
  ...transport.filter(({ id }) => chosenTransport.includes(id)),
  ...content,
  ...controls,
];

/** Some of every theme. `npm run hostile` runs all, and `npm run prove` judges with all that no stub is passed. */
const everyFifth = cases.filter(({ costly }) => costly !== true).filter((_, index) => index % 5 === 0);

const shortRun = ({ change }: Hostile): readonly Case[] =>
  cases.filter(({ id }) => (change.control === undefined ? overRoutes : overControl).includes(id));

async function judged(subject: Hostile, judgedCases = shortRun(subject)): Promise<Report | StartError> {
  const { id, change } = subject;
  const impatient = launchedTarget(id, launchOf(change), { requestTimeoutMs: IMPATIENCE_MS });
  const target = withSourcesFor(judgedCases, impatient);
  const profile = await readProfile("reference", ".");
  const selection = { quick: false, cases: undefined };
  try {
    const context = runContext({ target, profile, cases: judgedCases, keyring: await keyringFor(target) });
    const outcome = await run(context);
    return conclude(draftReport({ ...context, outcome, suite: cases, selection, failOn: "gap" }), undefined);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

const printed = (report: Report): Promise<string[]> => Promise.all(formatNames.map((format) => render(report, format)));

describe("a hostile target", () => {
  const runs = new Map<string, Report | StartError>();

  beforeAll(async () => {
    await pooled(subjects, WIDTH, async (item) => void runs.set(item.id, await judged(item)));
  }, 120_000);

  test.each(subjects.map((item) => [item.id, item] as const))(
    "%s",
    async (id, { mayPass = [], unjudged = false, harmless = false }) => {
      const run = runs.get(id);
      if (run === undefined) throw new Error("it was not run");
      expect(run instanceof StartError ? run.message : undefined).toEqual(unjudged ? expect.anything() : undefined);
      if (run instanceof StartError) {
        expect(run.message).toMatch(/^the control port/);
        expect(unfitToPrint(run.message)).toEqual([]);
        return;
      }
      expect((await printed(run)).flatMap(unfitToPrint)).toEqual([]);
      expect(unexplained(run)).toEqual([]);
      expect(harmless ? [0, 1, 4] : [1, 4]).toContain(run.verdict.exitCode);
      const passed = run.results.filter(({ outcome, level }) => outcome === "pass" && level === "must");
      expect(passed.map((result) => result.id).filter((passedId) => !mayPass.includes(passedId))).toEqual([]);
    },
  );
});

test("a run of a fifth of all cases against one ends red, in a report that is fit to print", async () => {
  const subject = content.find(({ id }) => id === "escapes-refused");
  const run = subject && (await judged(subject, everyFifth));
  if (run === undefined || run instanceof StartError) throw new Error("it was not judged");
  expect((await printed(run)).flatMap(unfitToPrint)).toEqual([]);
  expect(unexplained(run)).toEqual([]);
  expect(run.verdict.exitCode).toBe(1);
  expect(run.results).toHaveLength(everyFifth.length);
  // The gateway itself, which is not hostile, refuses bad configurations and unknown paths.
  const passed = run.results.filter(({ id, outcome, level }) => {
    return outcome === "pass" && level === "must" && !id.startsWith("CONFIG-");
  });
  expect(passed.map(({ id }) => id)).toEqual([]);
}, 60_000);
