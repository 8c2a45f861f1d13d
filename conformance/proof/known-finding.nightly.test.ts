/** A baseline that knows one fault of a case does not let a second one of the same case pass. */
import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { readProfile } from "../interface/profile.ts";
import { baselineFrom } from "../report/baseline/write.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import { runContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { asText, withRequest } from "./changes.ts";
import { launchedTarget, launchOf } from "./launch.ts";

/** A plugin that takes a number for the text of these fields of run_task. */
const careless = (fields: readonly string[]) =>
  withRequest((body) => {
    if (body["action"] !== "run_task") return body;
    const read = Object.entries(body).map(([name, value]) => [
      name,
      fields.includes(name) && typeof value === "number" ? asText(value) : value,
    ]);
    return Object.fromEntries(read) as typeof body;
  });

async function draftOf(fields: readonly string[]) {
  const target = launchedTarget("careless", launchOf(careless(fields)));
  const [profile, keyring] = [await readProfile("spec", "."), await keyringFor(target)];
  const chosen = cases.filter(({ id }) => id === "FIELD-TYPES");
  const context = runContext({ target, profile, cases: chosen, keyring });
  const { redact, startedAt } = context;
  const selection = { cases: ["FIELD-TYPES"] } as never;
  const more = { redact, startedAt, suite: cases, selection, failOn: "must" as const };
  return draftReport({ target, profile, outcome: await run(context), ...more });
}

test("another fault of a known case is red, and told first", async () => {
  const before = conclude(await draftOf(["progressSummary"]), undefined);
  const { entries } = baselineFrom(before, undefined, "until 1.5").baseline;
  expect(entries.map(({ case: id, signature }) => `${id} ${signature}`)).toEqual([
    "FIELD-TYPES expected 400 invalid_request; got 200 ok:true",
  ]);
  expect(entries[0]?.combination).toEqual([{ factor: "progressSummary", values: ["0", "1", "0.5"] }]);
  const known = conclude(await draftOf(["progressSummary"]), entries);
  expect([known.verdict.judgement, known.results[0]?.outcome]).toEqual(["conformant", "known"]);
  const both = conclude(await draftOf(["task", "progressSummary"]), entries);
  expect(both.verdict).toMatchObject({ judgement: "not conformant", failed: ["FIELD-TYPES"] });
  expect(both.results[0]).toMatchObject({
    outcome: "fail",
    combination: [{ factor: "task", values: ["0", "1", "0.5"], right: 6 }],
  });
  const mended = conclude(await draftOf([]), entries);
  expect(mended.baseline?.faults.map(({ fault }) => fault)).toEqual(["stale"]);
});
