import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildConfiguration, writeSecretFiles } from "../targets/build-configuration.ts";
import { freshKeyring } from "../targets/keyring.ts";
import { environmentFile } from "../targets/secrets-file.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { checkTarget, readTarget } from "../targets/target-file.ts";
import { variants } from "../targets/variants.ts";
import { print } from "./print.ts";
import { orUsageError, readOptions } from "./command.ts";

export async function command(args: string[]): Promise<number> {
  const { values } = readOptions("config", args, { out: { type: "string" }, target: { type: "string" } });
  if (values.out === undefined)
    throw new UsageError("config needs --out DIR, such as: webhooks-conformance config --out conformance-config");
  const target =
    values.target === undefined
      ? checkTarget({ name: "standard", baseUrl: "http://127.0.0.1" }, ".", "the standard configuration")
      : await readTarget(values.target);
  const keyring = freshKeyring(target.config.sessionKey);
  const { document, files } = buildConfiguration(target, variants.standard, keyring, resolve(values.out));
  const texts = new Map([
    [join(values.out, "config.json"), `${JSON.stringify(document, null, 2)}\n`],
    [join(values.out, "secrets.env"), environmentFile(keyring)],
    ...files,
  ]);
  const there = [...texts.keys()].filter((file) => existsSync(file));
  // A gateway may be using these files; and a file that other users may read would keep its permissions.
  if (there.length > 0)
    throw new UsageError(`there already: ${there.join(", ")}\nName another folder with --out, or remove them first`);
  await orUsageError(`${values.out} could not be written`, () => writeSecretFiles(texts, "wx"));
  print(`wrote ${[...texts.keys()].join(" and ")}\n`);
  return 0;
}
