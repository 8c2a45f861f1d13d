/** A right gateway behind something that gives all clients one address is not blamed for it. */
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished } from "vitest";
import { call, start } from "../test-support/cli.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { command as config } from "./config.ts";
import { command as run } from "./run.ts";

test("behind a port forward, what needs several clients is not judged, and the run says so", async ({ folder }) => {
  const dir = join(folder, "standard");
  await call(config, "--out", dir);
  const secrets = parseEnv(await readFile(join(dir, "secrets.env"), "utf8")) as Record<string, string>;
  const gateway = start(["serve", "--config", join(dir, "config.json"), "--port", "0"], secrets);
  onTestFinished(() => void gateway.child.kill("SIGKILL"));
  const port = () => /^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(gateway.stdout())?.[1];
  await until(() => port() !== undefined);
  const forwarder = createServer((inside) => {
    const outside = connect(Number(port()), "127.0.0.1");
    inside.pipe(outside).pipe(inside);
    for (const end of [inside, outside]) end.on("error", () => [inside, outside].forEach((one) => one.destroy()));
  });
  onTestFinished(() => void forwarder.close());
  await once(forwarder.listen(0, "127.0.0.1"), "listening");
  const target = join(folder, "target.json");
  const baseUrl = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`;
  await writeFile(target, JSON.stringify({ name: "mine", baseUrl, config: { dir: "standard" } }));
  const ids = ["RATE-KEY-ADDRESS", "IN-FLIGHT-KEY-ADDRESS", "AUTH-BEARER", "RATE-KEY-PATH"];
  const ran = await call(run, "--target", target, ...ids.flatMap((id) => ["--case", id]));
  expect(ran.text.replaceAll(/\s+/g, " ")).toContain("note: all client addresses share one budget");
  expect(ran.text).toMatch(/4 cases in .*: 2 pass, 2 not-applicable\n/);
  expect(ran.code).toBe(0);
});
