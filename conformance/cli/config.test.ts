import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect } from "vitest";
import { UsageError } from "../foundation/usage-error.ts";
import { call } from "../test-support/cli.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as config } from "./config.ts";

test("what is there is never overwritten: a gateway may run with it, and others may read it", async ({ folder }) => {
  const secrets = join(folder, "secrets.env");
  await writeFile(secrets, "those of a gateway that runs\n", { mode: 0o644 });
  const refused = await call(config, "--out", folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as Error).message).toBe(
    `there already: ${secrets}\nName another folder with --out, or remove them first`,
  );
  expect(await readFile(secrets, "utf8")).toBe("those of a gateway that runs\n");
  await expect(stat(join(folder, "config.json"))).rejects.toThrow("ENOENT");
});

test("with a target the files of its secret sources are written, with the secrets that a run expects", async ({
  folder,
}) => {
  const [target, out] = [join(folder, "target.json"), join(folder, "standard")];
  const secretSources = { file: { file: "{stateDir}/secrets/{id}" }, store: { json: "{stateDir}/store.json" } };
  const merge = { store: "{stateDir}/store.json" };
  const given = { name: "mine", baseUrl: "http://127.0.0.1:1", secretSources, config: { dir: "standard", merge } };
  await writeFile(target, JSON.stringify(given));
  const { text } = await call(config, "--out", out, "--target", target);
  const secrets = parseEnv(await readFile(join(out, "secrets.env"), "utf8"));
  const [file, store] = [join(out, "secrets", "WEBHOOKS_SECRET_PROBE"), join(out, "store.json")];
  expect(await readFile(file, "utf8")).toBe(secrets["WEBHOOKS_SECRET_FILE_SECRET"]);
  expect(JSON.parse(await readFile(store, "utf8"))).toEqual({
    WEBHOOKS_SECRET_PROBE: secrets["WEBHOOKS_SECRET_STORE_SECRET"],
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const document = JSON.parse(await readFile(join(out, "config.json"), "utf8")) as { store: string };
  expect(document.store).toBe(store);
  expect(text).toContain(` and ${file}`);
  expect(text).toContain(` and ${store}`);
});
