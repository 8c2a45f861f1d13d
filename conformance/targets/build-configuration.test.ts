import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { buildConfiguration, writeSecretFiles } from "./build-configuration.ts";
import type { Configuration } from "./configuration.ts";
import { freshKeyring } from "./keyring.ts";
import { environmentFile, keyringFor } from "./secrets-file.ts";
import { pathOf, specialRoutes, standardRoutes } from "./standard-routes.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { checkTarget } from "./target-file.ts";
import { variants, type VariantName } from "./variants.ts";
import { test } from "../test-support/folder.test-support.ts";

const targetWith = (more: Record<string, unknown> = {}) =>
  checkTarget({ name: "t", start: { command: ["x"] }, ...more }, ".", "t.json");
const build = (variant: VariantName, more: Record<string, unknown> = {}, keyring = freshKeyring("{name}")) =>
  buildConfiguration(targetWith(more), variants[variant], keyring, "/state");
const entryOf = ({ document }: Configuration): { config: { routes: Record<string, Record<string, unknown>> } } =>
  (document as { plugins: { entries: { webhooks: never } } }).plugins.entries.webhooks;

test("the standard configuration writes only what a route gives: defaults are left to the target", () => {
  const keyring = freshKeyring("{name}");
  const built = build("standard", {}, keyring);
  const { routes } = entryOf(built).config;
  const sessionKey = keyring.sessionKeyOf("lane-01");
  expect(routes["lane-01"]).toEqual({
    sessionKey,
    secret: { source: "env", provider: "default", id: "WEBHOOKS_SECRET_LANE_01" },
  });
  expect(routes["lane-01-sibling"]).toEqual({
    enabled: true,
    path: "/hooks/sibling/lane-01",
    controllerId: "conformance/lane-01",
    description: "an operator's note",
    sessionKey,
    secret: expect.stringMatching(/^whsec-[0-9a-f]{96}$/),
  });
  expect(routes["custom-path"]).toMatchObject({ path: "/hooks/conformance" });
  expect(routes["disabled"]).toMatchObject({ enabled: false });
  expect(built.absent).toEqual(["WEBHOOKS_SECRET_COLD", "WEBHOOKS_SECRET_COLD_PATH"]);
  expect(built.environment).not.toHaveProperty("WEBHOOKS_SECRET_COLD");
});

test("ids, paths and secrets are unique; siblings alone share a session", () => {
  const { routes } = build("standard");
  const all = [...routes.values()];
  for (const field of ["id", "path", "secret", "variable"] as const) {
    expect(new Set(all.map((route) => route[field])).size).toBe(all.length);
  }
  expect(routes.get("lane-03")?.sessionKey).toBe(routes.get("lane-03-sibling")?.sessionKey);
  expect(routes.get("lane-03")?.sessionKey).not.toBe(routes.get("lane-03-stranger")?.sessionKey);
});

test("one secret has all characters of Bearer credentials, = at its end alone; two session keys differ behind a colon", () => {
  const { routes } = build("standard");
  const { secret = "" } = routes.get("all-characters") ?? {};
  expect(secret).toMatch(/^[A-Za-z0-9._~+/-]+=+$/);
  for (const character of "-._~+/=") expect(secret).toContain(character);
  const [one, two] = ["alike-part-one", "alike-part-two"].map((id) => routes.get(id)?.sessionKey.split(":"));
  expect([one?.[0], two?.[0]]).toEqual(Array(2).fill(routes.get("alike")?.sessionKey));
  expect(one?.slice(1, 3)).toEqual(two?.slice(1, 3));
  expect(one?.[3]).not.toBe(two?.[3]);
});

test("fitted to a gateway: entryId, the session keys' pattern and what the gateway needs beside the plugin", () => {
  const config = {
    entryId: "hooks",
    sessionKey: "agent:{name}:main",
    merge: { secrets: { dir: "{stateDir}/s" }, plugins: { entries: { hooks: { tier: [1, "{stateDir}"] } } } },
  };
  const keyring = freshKeyring(config.sessionKey);
  const { document, routes } = build("standard", { config }, keyring);
  expect(document).toMatchObject({
    secrets: { dir: "/state/s" },
    plugins: { entries: { hooks: { enabled: true, tier: [1, "/state"] } } },
  });
  expect(Object.keys(document["plugins"] as object)).toEqual(["entries"]);
  expect(routes.get("probe")?.sessionKey).toBe(`agent:session-probe-${keyring.run}:main`);
});

test("routes of a secret source are there only where the target has that source, with files to fill", () => {
  expect(build("standard").routes.has("file-secret")).toBe(false);
  const secretSources = { file: { file: "{stateDir}/f/{id}" }, store: { json: "{stateDir}/store.json" } };
  const configuration = build("standard", { secretSources });
  const { files, routes } = configuration;
  const hasRoute = ["file-secret", "store-secret", "exec-secret"].map((id) => routes.has(id));
  expect(hasRoute).toEqual([true, true, false]);
  expect(Object.fromEntries(files)).toEqual({
    "/state/f/WEBHOOKS_SECRET_PROBE": routes.get("file-secret")?.secret,
    "/state/store.json": JSON.stringify({ WEBHOOKS_SECRET_PROBE: routes.get("store-secret")?.secret }),
  });
  // Where two sources are kept in one place, an id would name one secret for both.
  const alike = build("standard", { secretSources: { file: secretSources.file, exec: secretSources.file } });
  expect([...alike.files.keys()]).toEqual(["/state/f/file-secret", "/state/f/exec-secret"]);
  const relative = { ...targetWith({ secretSources: { file: { file: "secrets/{id}" } } }), folder: "/gateway" };
  const besides = buildConfiguration(relative, variants.standard, freshKeyring("{name}"), "/state");
  expect([...besides.files.keys()]).toEqual(["/gateway/secrets/WEBHOOKS_SECRET_PROBE"]);
  // Its reference is written, its file is not.
  const { secret } = entryOf(configuration).config.routes["cold-file"] ?? {};
  expect(secret).toMatchObject({ source: "file", id: "cold-file" });
});

test("secrets of every variant are known to the redactor, each under the variable that bash expands", () => {
  const keyring = freshKeyring("{name}");
  for (const variant of Object.keys(variants) as VariantName[]) {
    for (const { secret, variable } of build(variant, {}, keyring).routes.values()) {
      expect([...keyring.secrets]).toContainEqual({ value: secret, variable });
    }
  }
});

test("secrets.env brings back the same keys for a target that already runs, also behind a byte order mark", async ({
  folder,
}) => {
  const written = freshKeyring("{name}");
  await writeFile(join(folder, "secrets.env"), `\uFEFF${environmentFile(written)}`);
  const read = await keyringFor(runningTarget(folder));
  for (const route of standardRoutes.filter(({ secret }) => secret !== "cold")) {
    expect(read.secretOf(route)).toBe(written.secretOf(route));
    expect(read.sessionKeyOf(pathOf(route))).toBe(written.sessionKeyOf(pathOf(route)));
  }
  expect(read.controlToken).toBe(written.controlToken);
  expect(freshKeyring("{name}").controlToken).not.toBe(written.controlToken);
  expect(environmentFile(written)).not.toContain(written.secretOf(specialRoutes.cold));
});

test.for<[string, string | undefined, RegExp]>([
  ["is not there", undefined, /secrets\.env could not be read\.\nWrite it with: webhooks-conformance config --out DIR/],
  ["is of something else", "PATH=/bin\n", /secrets\.env has no WEBHOOKS_CONFORMANCE_RUN: write it anew/],
  ["is cut short", "WEBHOOKS_CONFORMANCE_RUN=1\n", /secrets\.env has no WEBHOOKS_SECRET_PROBE: write it anew/],
])("a secrets.env that %s is a usage error", async ([, text, message], { folder }) => {
  if (text !== undefined) await writeFile(join(folder, "secrets.env"), text);
  await expect(keyringFor(runningTarget(folder))).rejects.toThrow(UsageError);
  await expect(keyringFor(runningTarget(folder))).rejects.toThrow(message);
});

function runningTarget(folder: string) {
  return checkTarget({ name: "running", baseUrl: "http://127.0.0.1:1" }, folder, "running.json");
}

test("secret files are readable by their owner only", async ({ folder }) => {
  const file = join(folder, "deep", "down", "secret");
  await writeSecretFiles(new Map([[file, "hunter2"]]));
  expect(await readFile(file, "utf8")).toBe("hunter2");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
