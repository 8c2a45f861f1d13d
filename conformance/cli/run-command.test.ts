import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished } from "vitest";
import { call, cli, start, targetFile } from "../test-support/cli.test-support.ts";
import { FEW_PROBES, isGone } from "../test-support/gateway.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as config } from "./config.ts";
import { command as run } from "./run.ts";

test("a few cases run green, and say that they are a part", async ({ folder }) => {
  const seen = join(folder, "arguments");
  const target = await targetFile(folder, [`arguments=${seen}`]);
  const log = join(folder, "log.ndjson");
  const asked = ["--case", "AUTH-BEARER", "--case", "AUTH-WRONG", "--log", log];
  const { code, text, told } = await call(run, "--target", target, ...asked);
  expect(text).toMatch(/^2 cases in \d+\.\d s: 2 pass\npartial run: 2 of \d+ cases judged; no release verdict\n/);
  expect(text).toMatch(/\npartial run: CONFORMANT with profile spec \(exit 0\)\n$/);
  expect(told.replaceAll("\n  ", " ")).toMatch(
    /^about \d+ s \(2 cases at [\d.]+ ms a request: \d+ s\); ends after \d+ minutes at the latest\n$/,
  );
  expect(code).toBe(0);
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  const logged = lines.map((line) => JSON.parse(line) as { case: string; request: object; answer: { status: number } });
  expect(logged.map((one) => `${one.case} ${one.answer.status}`)).toEqual(
    expect.arrayContaining(["AUTH-BEARER 200", "AUTH-WRONG 401"]),
  );
  expect(lines.join()).toContain("Bearer ${WEBHOOKS_SECRET_");
  expect(lines.join()).not.toContain("whsec-");
  const called = JSON.parse(await readFile(seen, "utf8")) as { seen: string[]; secrets: string[] };
  expect(called.seen.join("\0")).toContain("gateway.mjs");
  for (const secret of called.secrets.filter(Boolean)) expect(called.seen.join("\0")).not.toContain(secret);
});

test.concurrent("a target that does not start is exit 3, with its last words made safe", async ({ folder }) => {
  const target = await targetFile(folder, ["chatty"]);
  const report = join(folder, "report.json");
  await writeFile(report, "the green report of an earlier run");
  const asked = ["--case", "AUTH-BEARER", "--report", `json=${report}`];
  const { code, stdout, stderr } = await cli("run", "--target", target, ...asked);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(existsSync(report)).toBe(false);
  const lines = stderr.trimEnd().split("\n");
  expect(lines[0]).toBe("webhooks-conformance: the target ended before it was ready (exit code 8)");
  expect(lines[1]).toBe("the target's output, last lines:");
  expect(lines).toHaveLength(12);
  expect(lines.at(-2)).toBe("?[31mlane-12 has the secret ${WEBHOOKS_SECRET_LANE_12}");
  expect(lines.at(-1)).toBe("gateway: enough said");
  expect(stderr).not.toContain("whsec-");
  expect(stderr).not.toContain("\u001b");
});

test.concurrent("a signal in the middle of a run leaves neither process nor file behind", async ({ folder }) => {
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const [helper, judged] = [join(folder, "helper"), join(folder, "judged")];
  const target = await targetFile(folder, ["stubborn", `helper=${helper}`, `judged=${judged}`], FEW_PROBES);
  // It lets 18 seconds pass, unless it is interrupted.
  const running = start(["run", "--target", target, "--case", "BODY-DRIP-15-SECONDS"], { TMPDIR: temporary });
  await until(() => existsSync(judged));
  const pid = Number(await readFile(helper, "utf8"));
  const ofRun = async () => (await readdir(temporary)).filter((name) => name.startsWith("webhooks-conformance-"));
  expect(await ofRun()).not.toEqual([]);
  running.child.kill("SIGHUP");
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 129, stdout: "" });
  expect(stderr).toMatch(/^about [^\n(]* \(1 case at [^\n]*\n(?: {2}[^\n]*\n)?interrupted: stopping the target\n$/);
  await until(() => isGone(pid));
  expect(await ofRun()).toEqual([]);
});

test("what config writes is read by its owner alone, and judges a gateway that was started with it, also through a port forward, as far as one client can", async ({
  folder,
}) => {
  const dir = join(folder, "standard");
  const written = await call(config, "--out", dir);
  expect(written).toMatchObject({ code: 0, told: "" });
  expect(written.text).toBe(`wrote ${join(dir, "config.json")} and ${join(dir, "secrets.env")}\n`);
  for (const name of ["config.json", "secrets.env"]) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);

  const secrets = parseEnv(await readFile(join(dir, "secrets.env"), "utf8")) as Record<string, string>;
  const gateway = start(["serve", "--config", join(dir, "config.json"), "--port", "0"], secrets);
  onTestFinished(() => void gateway.child.kill("SIGKILL"));
  const port = () => Number(/^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(gateway.stdout())?.[1] ?? 0);
  await until(() => port() > 0);
  const target = join(folder, "target.json");
  const judged = async (at: number, ids: readonly string[]) => {
    const baseUrl = `http://127.0.0.1:${at}`;
    await writeFile(target, JSON.stringify({ name: "mine", baseUrl, config: { dir: "standard" } }));
    return call(run, "--target", target, ...ids.flatMap((id) => ["--case", id]));
  };
  const forwarder = createServer((inside) => {
    const outside = connect(port(), "127.0.0.1");
    inside.pipe(outside).pipe(inside);
    for (const end of [inside, outside]) end.on("error", () => [inside, outside].forEach((one) => one.destroy()));
  });
  onTestFinished(() => void forwarder.close());
  await once(forwarder.listen(0, "127.0.0.1"), "listening");
  const { port: other } = forwarder.address() as AddressInfo;
  const ofKeys = ["RATE-KEY-ADDRESS", "IN-FLIGHT-KEY-ADDRESS", "AUTH-BEARER", "RATE-KEY-PATH"];
  const forwarded = await judged(other, ofKeys);
  expect(forwarded.text.replaceAll(/\s+/g, " ")).toContain("note: all client addresses share one budget");
  expect(forwarded.text).toMatch(/4 cases in .*: 2 pass, 2 not-applicable\n/);
  expect(forwarded.code).toBe(0);
  const ran = await judged(port(), ["AUTH-BEARER", "AUTH-SCHEME-CASE", "METHOD-PUT", "SESSION-MANY-FLOWS"]);
  expect(ran.text).toMatch(/4 cases in .*: 4 pass\n/);
  expect(ran.code).toBe(0);
  gateway.child.kill("SIGTERM");
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(0);
  expect(`${ran.text}${ran.told}${stderr}`).not.toContain("whsec-");
});
