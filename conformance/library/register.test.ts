import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { cases as suite } from "../catalogue.ts";
import { registerConformance, runConformance, UsageError, type Registration } from "./index.ts";
import { FEW_PROBES } from "../test-support/gateway.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";

interface Done {
  readonly name: string;
  readonly skipped: string | undefined;
  readonly error: Error | undefined;
}

/** A test runner of a few lines: gives what became of each test, in order. */
async function tested(registration: Omit<Registration, "test">): Promise<Done[]> {
  const bodies: [string, Parameters<Registration["test"]>[2]][] = [];
  await registerConformance({ ...registration, test: (name, _, body) => void bodies.push([name, body]) });
  const done: Done[] = [];
  for (const [name, body] of bodies) {
    let [skipped, error]: [string | undefined, Error | undefined] = [undefined, undefined];
    await body({ skip: (reason = "") => void (skipped = reason) }).catch(
      (thrown: unknown) => (error = thrown as Error),
    );
    done.push({ name, skipped, error });
  }
  return done;
}

const refusing: typeof handler = () => (_, response) =>
  response.writeHead(401).end(JSON.stringify({ ok: false, routeId: "", result: {}, code: "no", error: "no" }));
const entry = (id: string, signature?: string) => ({ case: id, signature, reason: "it is old" });

test.concurrent(
  "a pass passes, a failure is told as printed, what does not bear is skipped with the reason",
  async () => {
    let made = 0;
    const counting: typeof handler = (setup) => (made++, handler(setup));
    const cases = ["AUTH-BEARER", "METHOD-GET", "SECRET-FILE"];
    const [fails, passes, skipped] = await tested({
      target: { name: "mine", ...FEW_PROBES, handler: counting },
      cases,
    });
    expect(passes).toMatchObject({ skipped: undefined, error: undefined });
    expect(skipped).toMatchObject({ skipped: "not-applicable: needs secret-file", error: undefined });
    expect(fails?.name).toMatch(/^METHOD-GET: ./);
    expect(fails?.error?.message).toMatch(
      /^FAIL +METHOD-GET \(must\)\n[^]*\n {2}expected [^]*\n {2}actual [^]*\n {2}clause /,
    );
    expect(fails?.error?.stack).toBe(fails?.error?.message);
    // One run for all the tests.
    expect(made).toBe(1);
  },
);

test.concurrent("what could not be put to the test fails", async () => {
  const [wrong] = await tested({ target: { name: "mine", ...FEW_PROBES, handler: refusing }, cases: ["AUTH-WRONG"] });
  expect(wrong?.error?.message).toMatch(/^UNREACHED +AUTH-WRONG/);
});

test.concurrent("a known deviation is skipped with its reason; an untrue entry fails", async ({ folder }) => {
  const target = { name: "mine", ...FEW_PROBES, handler };
  const { report } = await runConformance(target, { cases: ["METHOD-GET"] });
  const entries = [
    entry("METHOD-GET", report.results[0]?.findings?.[0]?.signature),
    entry("AUTH-WRONG", "some failure"),
  ];
  const baseline = join(folder, "baseline.json");
  const format = "webhooks-conformance/baseline@2";
  await writeFile(baseline, JSON.stringify({ format, suite: "0.1.0", target: "mine", profile: "spec", entries }));
  const [known, stale] = await tested({ target, baseline, cases: ["METHOD-GET", "AUTH-WRONG"] });
  expect(known).toMatchObject({ skipped: "known: it is old", error: undefined });
  expect(stale?.error?.message).toMatch(/^The baseline's entry is stale\. It is no longer found/);
});

test.concurrent("a target that does not start fails every test with its last lines, made harmless", async () => {
  const ended = { ending: "exit code 2", stderrTail: "no such key: \u001b[31mroutes\n", stop: async () => {} };
  const target = { name: "mine", launch: async () => ({ origin: "http://127.0.0.1:9", ...ended }) };
  const done = await tested({ target, cases: ["AUTH-WRONG", "AUTH-BEARER"] });
  const message =
    "the target ended before it was ready (exit code 2)\n" +
    "the target's output, last lines:\nno such key: ?[31mroutes";
  expect(done.map(({ error }) => error?.message)).toEqual([message, message, message]);
});

test.concurrent("by default all cases are registered, and a test that all was judged; none runs before", async () => {
  const names: string[] = [];
  const groups: string[] = [];
  await registerConformance({
    target: { name: "mine", handler: () => expect.fail("started") },
    describe: (name, body) => (groups.push(name), body()),
    test: (name) => void names.push(name),
  });
  expect(groups).toEqual(["conformance of mine"]);
  expect(names.map((name) => name.split(":")[0])).toEqual([
    ...suite.map(({ id }) => id),
    "every clause of the interface that must hold was judged",
  ]);
});

test.concurrent("an unknown case is a usage error before any test", async () => {
  const registration = { target: "target.json", test: () => expect.fail("registered"), cases: ["AUTH-BEARR"] };
  await expect(registerConformance(registration)).rejects.toBeInstanceOf(UsageError);
});
