import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runConformance, StartError, UsageError, type Progress, type TargetInput } from "./index.ts";
import { reportSchema } from "../report/report.ts";
import { targetFile } from "../test-support/cli.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { FEW_PROBES, gatewayStart, isGone } from "../test-support/gateway.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";

test.concurrent("a handler is judged, each result told, and nothing said holds a secret", async () => {
  const told: Progress[] = [];
  const secrets: unknown[] = [];
  const spied: typeof handler = (setup) => {
    secrets.push(...Object.values(setup.config.routes).map(({ secret }) => secret));
    return handler(setup);
  };
  const cases = ["AUTH-BEARER", "AUTH-WRONG", "METHOD-GET"];
  const onResult = (progress: Progress) => void told.push(progress);
  const { report, verdict } = await runConformance(
    { name: "mine", ...FEW_PROBES, handler: spied },
    { cases, onResult },
  );
  expect(reportSchema.parse(report)).toEqual(report);
  expect(verdict).toMatchObject({ judgement: "not conformant", partial: true, exitCode: 1, failed: ["METHOD-GET"] });
  expect(told.map(({ done, total }) => `${done}/${total}`)).toEqual(["1/3", "2/3", "3/3"]);
  expect(report.notes.join()).toContain("runner's process");
  const text = JSON.stringify([report, told]);
  const strings = secrets.filter((secret) => typeof secret === "string");
  expect(strings.length).toBeGreaterThan(30);
  expect(strings.filter((secret) => text.includes(secret))).toEqual([]);
});

const mine = { name: "mine", start: gatewayStart([]) };

test.concurrent.each<[string, TargetInput, object, string]>([
  ["an unknown case", mine, { cases: ["AUTH-BEARR"] }, 'there is no case "AUTH-BEARR"; nearest: AUTH-BEARER'],
  ["a wrong failOn", mine, { failOn: "never" }, 'failOn is "never", expected one of: must, gap, should'],
  ["no file", "no-such.json", {}, "no-such.json could not be read"],
  ["a handler that is none", { name: "mine", handler: "no" } as never, {}, "handler is no function"],
  ["another host", { name: "mine", baseUrl: "http://10.0.0.1:80" }, {}, "allowHosts"],
])("%s is a usage error", async (_, target, options, message) => {
  const error = await runConformance(target, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toContain(message);
});

test.concurrent.each([
  ["origin", { origin: "http://10.0.0.1:80" }],
  ["control", { origin: "http://127.0.0.1:9", control: "http://10.0.0.1:80" }],
])("a launch whose %s is elsewhere is stopped and refused before anything is sent", async (field, where) => {
  let stops = 0;
  const stop = async () => void (stops += 1);
  const launch = async () => ({ ...where, ending: undefined, stderrTail: "", stop });
  const running = runConformance({ name: "mine", launch }, { cases: ["AUTH-BEARER"] });
  await expect(running).rejects.toThrow(`${field} names 10.0.0.1, which is not this machine`);
  await expect(running).rejects.toBeInstanceOf(UsageError);
  expect(stops).toBe(1);
});

test.concurrent("a target that ends at its start, or a handler that throws, is a start error", async () => {
  const tricked = { name: "mine", start: gatewayStart(["exit-at-start"]) };
  const throwing = { name: "mine", handler: () => Promise.reject(new Error("no routes, please")) };
  for (const target of [tricked, throwing]) {
    await expect(runConformance(target, { cases: ["AUTH-BEARER"] })).rejects.toBeInstanceOf(StartError);
  }
  await expect(runConformance(throwing, { cases: ["AUTH-BEARER"] })).rejects.toThrow("no routes, please");
});

test.concurrent("an aborted run rejects with the signal's reason, and the target is stopped", async ({ folder }) => {
  const helper = join(folder, "helper");
  const target = await targetFile(folder, [`helper=${helper}`], FEW_PROBES);
  const stop = new AbortController();
  // The first lets 18 seconds pass; the second is done at once.
  const cases = ["BODY-DRIP-15-SECONDS", "AUTH-BEARER"];
  const running = runConformance(target, { cases, signal: stop.signal, onResult: () => stop.abort("enough") });
  await expect(running).rejects.toBe("enough");
  // A killed process may take a moment to go.
  const pid = Number(await readFile(helper, "utf8"));
  await until(() => isGone(pid));
  await expect(runConformance(target, { signal: AbortSignal.abort("never") })).rejects.toBe("never");
  expect(await readdir(folder)).toEqual(["helper", "target.json"]);
});

test.concurrent("an abort breaks the wait for a target that never gets ready", async () => {
  const never = { name: "mine", start: gatewayStart(["never-listens"]) };
  await expect(runConformance(never, { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    name: "TimeoutError",
  });
});
