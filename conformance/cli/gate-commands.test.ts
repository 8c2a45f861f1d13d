/** baseline, merge and render, from report files to what they print, write and exit with. */
import { link, readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import type { Baseline } from "../report/baseline/baseline.ts";
import { cases } from "../catalogue.ts";
import { conclude } from "../report/make-report.ts";
import type { Report } from "../report/report.ts";
import { selectCases, type Selection } from "../run/selection.ts";
import { call } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { draftWith, resultOfCase } from "../test-support/report.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as baseline } from "./baseline.ts";
import type { Command } from "./command.ts";
import { command as merge } from "./merge.ts";
import { command as render } from "./render.ts";
import { command as run } from "./run.ts";

/** A report of the real suite: everything passes but for these, which fail with this answer. */
function reportOf(failing: Readonly<Record<string, string>>, selection: Partial<Selection> = {}): Report {
  const chosen = { quick: false, ...selection };
  const results = selectCases(cases, chosen).map((item) => {
    const actual = failing[item.id];
    return resultOfCase(item, actual === undefined ? {} : { outcome: "fail", expected: "a refusal", actual });
  });
  return conclude(draftWith(results, { suite: cases, selection: chosen }), undefined);
}

const complaint = (command: Command, ...args: string[]) => complaintOf(() => call(command, ...args));

const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as Baseline;

test("baseline write takes in what failed, asks for reasons, and a run refuses the file until they are there", async ({
  files,
}) => {
  const at = await files({ "r.json": reportOf({ "AUTH-WRONG": "200 ok:true" }) });
  const { code, text } = await call(baseline, "write", at("r.json"), "--out", at("b.json"));
  expect({ code, text }).toEqual({
    code: 0,
    text:
      `wrote ${at("b.json")}: 1 entry (1 new, 0 kept, 0 dropped)\n` +
      "1 without a reason: fill them in, a run refuses the file until then\n",
  });
  const { entries, ...head } = await read(at("b.json"));
  expect(head).toMatchObject({ format: "webhooks-conformance/baseline@2", target: "a gateway", profile: "spec" });
  expect(entries).toEqual([{ case: "AUTH-WRONG", signature: "expected a refusal; got 200 ok:true", reason: "" }]);
  await writeFile(at("t.json"), '{ "name": "x", "baseUrl": "http://127.0.0.1:1" }');
  const refused = await complaint(run, "--target", at("t.json"), "--baseline", at("b.json"));
  expect(refused).toContain("  entries.0 (AUTH-WRONG).reason: say why the deviation is accepted");
});

test("baseline write keeps what people wrote, drops what passes, and asks again when a case fails in another way", async ({
  files,
}) => {
  const before = reportOf({ "AUTH-WRONG": "200", "AUTH-BEARER": "200", "METHOD-PUT": "200", "METHOD-GET": "200" });
  const after = reportOf(
    { "AUTH-WRONG": "200", "AUTH-BEARER": "500", "BODY-262145-LENGTH": "200" },
    { cases: ["AUTH-*", "METHOD-PUT", "METHOD-GET", "BODY-*"] },
  );
  const gone = { ...after, results: after.results.filter(({ id }) => id !== "METHOD-GET") };
  const ids = before.results.filter(({ outcome }) => outcome === "fail").map(({ id }) => id);
  const at = await files({ "one.json": before, "two.json": gone });
  await call(baseline, "write", at("one.json"), "--out", at("b.json"), "--reason", "old ones");
  expect(ids).toHaveLength(4);
  expect((await read(at("b.json"))).entries.map((entry) => entry.case)).toEqual(ids);
  const { text } = await call(baseline, "write", at("two.json"), "--out", at("b.json"));
  const entries = new Map((await read(at("b.json"))).entries.map((entry) => [entry.case, entry.reason]));
  expect(entries.get("AUTH-WRONG")).toBe("old ones");
  expect(entries.get("AUTH-BEARER")).toBe("");
  expect(entries.get("BODY-262145-LENGTH")).toBe("");
  expect(entries.has("METHOD-PUT")).toBe(false);
  // The second run says nothing of it.
  expect(entries.get("METHOD-GET")).toBe("old ones");
  expect(text).toContain("(2 new, 2 kept, 2 dropped)\n");
  for (const id of ["AUTH-BEARER", "METHOD-PUT"])
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      `dropped: ${id} no longer shows expected a refusal; got 200; its reason was: old ones`,
    );
});

test("baseline write replaces the file whole: what stood there is never cut off", async ({ files }) => {
  const at = await files({ "r.json": reportOf({ "AUTH-WRONG": "200" }), "b.json": file() });
  // Another name of the same file shows whether it was written into.
  await link(at("b.json"), at("before.json"));
  await call(baseline, "write", at("r.json"), "--out", at("b.json"));
  expect((await read(at("b.json"))).entries).toHaveLength(1);
  expect((await read(at("before.json"))).entries).toHaveLength(0);
});

test("baseline write takes an entry without a reason for one that is still to be given, and nothing else for a reason", async ({
  files,
}) => {
  const report = reportOf({ "AUTH-WRONG": "200" });
  const entry = { case: "AUTH-WRONG", signature: "expected a refusal; got 200" };
  const at = await files({ "r.json": report, "b.json": file(entry), "n.json": file({ ...entry, reason: 5 }) });
  const { text } = await call(baseline, "write", at("r.json"), "--out", at("b.json"));
  expect(text).toContain("(0 new, 1 kept, 0 dropped)\n1 without a reason: fill them in");
  expect((await read(at("b.json"))).entries).toEqual([{ ...entry, reason: "" }]);
  const refused = await complaint(baseline, "write", at("r.json"), "--out", at("n.json"));
  expect(refused).toContain("entries.0 (AUTH-WRONG).reason: Invalid input: expected string, received number");
});

test("baseline write leaves out what a replay file showed again, which no run would read, and says so", async ({
  files,
}) => {
  const own = reportOf({ "AUTH-WRONG": "200" });
  const shown = own.results.filter(({ outcome }) => outcome === "fail");
  const replayed = shown.map((result) => ({ ...result, id: "REPLAY-A", file: "found/a.json" }));
  const verdict = { ...own.verdict, failed: [...own.verdict.failed, "REPLAY-A"] };
  const at = await files({ "r.json": { ...own, results: [...own.results, ...replayed], verdict } });
  const args = [at("r.json"), "--out", at("b.json"), "--reason", "x"];
  const { text } = await call(baseline, "write", ...args);
  expect((await read(at("b.json"))).entries.map((entry) => entry.case)).toEqual(["AUTH-WRONG"]);
  expect(text).toContain("(1 new, 0 kept, 0 dropped)\n  left out: REPLAY-A is a replay file, ");
  expect(await call(baseline, "check", "--baseline", at("b.json"))).toMatchObject({ code: 0 });
});

test("baseline write does not mix profiles", async ({ files }) => {
  const one = reportOf({ "AUTH-WRONG": "200" });
  const at = await files({ "one.json": one, "two.json": { ...one, profile: "reference" } });
  await call(baseline, "write", at("one.json"), "--out", at("b.json"), "--reason", "x");
  const text = await complaint(baseline, "write", at("two.json"), "--out", at("b.json"));
  expect(text).toContain('it was written for "spec", the run is held to "reference"');
});

const file = (...entries: object[]) => {
  return { format: "webhooks-conformance/baseline@2", suite: "0.1.0", target: "t", profile: "spec", entries };
};
const shard = (index: number, failing = {}) => reportOf(failing, { shard: { index, of: 2 } });

const entry = { case: "AUTH-WRONG", signature: "expected a refusal; got 200", reason: "r" };

test("baseline check is green where all is true", async ({ files }) => {
  const at = await files({ "b.json": file(entry), "r.json": reportOf({ "AUTH-WRONG": "200" }) });
  expect(await call(baseline, "check", "--baseline", at("b.json"))).toMatchObject({
    code: 0,
    text: "1 entry, 0 no longer true\n",
  });
  const args = ["check", "--baseline", at("b.json"), at("r.json")];
  expect(await call(baseline, ...args)).toMatchObject({ code: 0 });
});

test("baseline check is red where an entry has expired, or a report makes it untrue", async ({ files }) => {
  const expired = file({ ...entry, expires: "2020-01-01" });
  const reports = { "passes.json": reportOf({}), "other.json": reportOf({ "AUTH-WRONG": "500" }) };
  const at = await files({ "b.json": file(entry), "expired.json": expired, ...reports });
  const came = async (baselineFile: string, ...report: string[]) => {
    const args = ["check", "--baseline", at(baselineFile), ...report.map(at)];
    const { code, text } = await call(baseline, ...args);
    return [code, text.split("\n")[0]];
  };
  expect(await came("expired.json")).toEqual([1, "EXPIRED   AUTH-WRONG"]);
  expect(await came("b.json", "passes.json")).toEqual([1, "STALE     AUTH-WRONG"]);
  expect(await came("b.json", "other.json")).toEqual([1, "STALE     AUTH-WRONG"]);
  const { text } = await call(baseline, "check", "--baseline", at("b.json"), at("other.json"));
  expect(text).toContain("NEW       AUTH-WRONG\n  expected a refusal; got 500\n");
});

test("a part of the suite makes no entry of an invariant untrue: what breaks it may not have run", async ({
  files,
}) => {
  const invariant = { ...entry, case: "NEVER-5XX" };
  const at = await files({ "b.json": file(invariant), "r.json": reportOf({}, { cases: ["NEVER-5XX"] }) });
  expect(await call(baseline, "check", "--baseline", at("b.json"), at("r.json"))).toMatchObject({ code: 0 });
  await call(baseline, "write", at("r.json"), "--out", at("b.json"));
  expect((await read(at("b.json"))).entries).toEqual([invariant]);
});

test("merge gives the whole run's report and exit code, in any form", async ({ files }) => {
  const failing = { "AUTH-WRONG": "200 ok:true" };
  const at = await files({ "1.json": shard(1, failing), "2.json": shard(2, failing) });
  const { code, text } = await call(merge, at("2.json"), at("1.json"), "--report", "json=-");
  expect(code).toBe(1);
  expect((JSON.parse(text) as Report).verdict).toEqual(reportOf(failing).verdict);
  const other = await call(merge, at("1.json"), at("2.json"), "--report", "junit=-");
  expect(other.text).toMatch(/^<\?xml /);
  expect(other.told).toMatch(/\nNOT CONFORMANT with profile spec \(exit 1\)\n$/);
});

test("merge refuses a report of another version in two lines", async ({ files }) => {
  const old = { ...shard(1), format: "webhooks-conformance/report@1" };
  const at = await files({ "1.json": old, "2.json": shard(2), "3.json": [] });
  expect(await complaint(merge, at("1.json"), at("2.json"))).toBe(
    `${at("1.json")} is no report of this version: its format is "webhooks-conformance/report@1", ` +
      'this suite reads "webhooks-conformance/report@3".\n' +
      "Write it with this version of the suite: run --report json=FILE",
  );
  expect(await complaint(merge, at("3.json"))).toContain("it names no format");
  expect(await complaint(merge, at("absent.json"))).toMatch(/^the report .*absent\.json could not be read: ENOENT/);
  expect(await complaint(merge)).toBe(
    "merge needs the JSON reports of all shards; webhooks-conformance run --shard I/N --report json=FILE writes one",
  );
});

test("render gives a report another form and judges nothing", async ({ files }) => {
  const at = await files({ "r.json": reportOf({ "AUTH-WRONG": "200" }) });
  const out = at("junit.xml");
  const told = "NOT CONFORMANT with profile spec (exit 1)\n";
  expect(await call(render, at("r.json"), "--report", `junit=${out}`)).toEqual({ code: 0, text: "", told });
  expect(await readFile(out, "utf8")).toContain('<failure message="expected a refusal; got 200"');
  const both = await call(render, at("r.json"), "--report", "markdown=-", "--report", `har=${at("r.har")}`);
  expect(both).toMatchObject({ code: 0, told });
  expect(both.text).toMatch(/^## NOT CONFORMANT\n/);
  expect(JSON.parse(await readFile(at("r.har"), "utf8"))).toMatchObject({ log: { version: "1.2" } });
  const shown = await call(render, at("r.json"));
  expect(shown.text).toMatch(/NOT CONFORMANT with profile spec \(exit 1\)\n$/);
});

test.each<[Command, string[], RegExp]>([
  [baseline, [], /^baseline needs one of: write, check /],
  [baseline, ["list"], /^baseline needs one of: write, check /],
  [
    baseline,
    ["write", "--out", "x"],
    /^baseline write needs REPORT and --out FILE; webhooks-conformance run --report json=FILE writes a report$/,
  ],
  [baseline, ["check"], /^baseline check needs --baseline FILE; webhooks-conformance baseline write makes one$/],
  [baseline, ["check", "--baseline", "b.json", "--out", "x"], /^baseline check writes nothing/],
  [render, [], /^render needs one REPORT; webhooks-conformance run --report json=FILE writes one$/],
  [merge, ["a.json", "--report", "pdf=x"], /^--report is "pdf=x", expected KIND=FILE with KIND one of: json, junit, /],
  [merge, ["a.json", "--report", "json"], /^--report is "json", expected KIND=FILE /],
  [merge, ["a.json", "--report", "json="], /^--report is "json=", expected KIND=FILE /],
  [merge, ["a.json", "--report", "github=x"], /^--report github takes no file: it writes where GitHub reads$/],
  [
    merge,
    ["a.json", "--report", "json=-", "--report", "har=-"],
    /^--report json=- and --report har=- go to one place: each report needs a file of its own$/,
  ],
])("%#", async (command, args, message) => {
  expect(await complaint(command, ...args)).toMatch(message);
});
