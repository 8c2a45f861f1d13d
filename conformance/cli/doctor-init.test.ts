import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { call, targetFile } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { gatewayFile } from "../test-support/gateway.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as doctor } from "./doctor.ts";
import { command as init } from "./init.ts";

test("init writes a target file that doctor finds ready", async ({ folder }) => {
  const file = join(folder, "mine.json");
  const command = `"${process.execPath}" '${gatewayFile}' --config {config} --port {port}`;
  const written = await call(init, "--start", command, "--profile", "reference", "--out", file);
  const next = `  webhooks-conformance doctor --target ${file}\n  webhooks-conformance run --target ${file}\n`;
  expect(written).toEqual({ code: 0, text: `wrote ${file}\nnext\n${next}`, told: "" });
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    name: "my gateway",
    profile: "reference",
    start: { command: [process.execPath, gatewayFile, "--config", "{config}", "--port", "{port}"] },
  });
  const { code, text: output } = await call(doctor, "--target", file);
  expect(code).toBe(0);
  expect(output).toMatch(/^ok {4}file {6}the start command gets its configuration and port\n/);
  expect(output).toMatch(/\nnote {2}control [^]*\n {16}write "control": "http/);
  expect(output).toMatch(/\nready: webhooks-conformance run --target \S+mine\.json\n$/);
  expect(output.split("\n").filter((line) => line.length > 80 && !/write|ready:/.test(line))).toEqual([]);
});

test("doctor gives exit 3 for a target that does not start", async ({ folder }) => {
  const { code, text } = await call(doctor, "--target", await targetFile(folder, ["exit-at-start"]));
  expect(code).toBe(3);
  expect(text).toMatch(
    /\nWRONG start {5}the target ended [^]*\nnot ready: fix what is marked WRONG, then: webhooks-conformance doctor --target \S+\n$/,
  );
});

test("doctor looks at no other machine, and asks for a target", async ({ folder }) => {
  const file = join(folder, "target.json");
  await writeFile(file, JSON.stringify({ name: "far", baseUrl: "http://10.0.0.1:80" }));
  expect(await complaintOf(() => doctor(["--target", file]))).toContain("--allow-host");
  expect(await complaintOf(() => doctor([]))).toBe(
    "doctor needs --plugin FILE for a plugin, or --target FILE for a gateway; webhooks-conformance init writes such a file",
  );
});

test("init for a target that already runs says how to configure it", async ({ folder }) => {
  const file = join(folder, "sub", "target.json");
  await mkdir(join(folder, "sub"));
  const args = ["--base-url", "http://127.0.0.1:8080", "--product", "acme", "--out", file];
  const { code, text } = await call(init, ...args);
  expect(code).toBe(0);
  // As the target file says it, relative to that file.
  const configDir = join(folder, "sub", "conformance-config");
  expect(text).toContain(`webhooks-conformance config --out ${configDir} --target ${file}\n`);
  const config = { dir: "conformance-config" };
  const expected = { name: "my gateway", product: "acme", baseUrl: "http://127.0.0.1:8080", config };
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(expected);
});

test("init overwrites nothing, and writes nothing that is wrong", async ({ folder }) => {
  const file = join(folder, "target.json");
  const complaint = (...args: string[]) => complaintOf(() => init(["--out", file, ...args]));
  expect(await complaint("--base-url", "ftp://x")).toContain("baseUrl: expected http://HOST:PORT");
  expect(await complaint("--base-url", "http://127.0.0.1:1", "--start", "x")).toContain('give one of "start"');
  await writeFile(file, "mine");
  expect(await complaint("--start", "x")).toContain("target.json is there already");
  expect(await readFile(file, "utf8")).toBe("mine");
});

test("init says which options it needs", async () => {
  const told = await complaintOf(() => init([]));
  expect(told).toBe('init needs --plugin FILE, --start "COMMAND" or --base-url URL');
  for (const mixed of [
    ["--plugin", "a", "--start", "b"],
    ["--start", "b", "--runtime", "bare"],
  ])
    expect(await complaintOf(() => init(mixed))).toContain(
      "init takes --runtime and --request-timeout with --plugin, and",
    );
});
