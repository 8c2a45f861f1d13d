import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildConfiguration, freshKeyring } from "../target/configuration.ts";
import { environmentFile } from "../target/keyring.ts";
import { checkTarget, readTarget, UsageError } from "../target/target-file.ts";
import { variants } from "../target/variants.ts";
import { readOptions, type Command } from "./command.ts";

export const command: Command = {
  summary: "write the standard configuration for a target that you start yourself",
  usage: `usage: webhooks-conformance config --out DIR [--target FILE]
Writes DIR/config.json and DIR/secrets.env. Load both into your gateway, name
DIR as config.dir in a target file with a baseUrl, and run.
  --target FILE  fits the configuration to this target (entryId, sessionKey, merge)`,
  async run(args) {
    const { values } = readOptions("config", args, { out: { type: "string" }, target: { type: "string" } });
    if (values.out === undefined) throw new UsageError("config needs --out DIR");
    const target =
      values.target === undefined
        ? checkTarget({ name: "standard", baseUrl: "http://127.0.0.1" }, ".", "the standard configuration")
        : await readTarget(values.target);
    const keyring = freshKeyring(target.config.sessionKey);
    const { document } = buildConfiguration(target, variants.standard, keyring, "");
    try {
      await mkdir(values.out, { recursive: true });
      await writeFile(join(values.out, "config.json"), `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
      await writeFile(join(values.out, "secrets.env"), environmentFile(keyring), { mode: 0o600 });
    } catch (error) {
      throw new UsageError(
        `${values.out} could not be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    process.stdout.write(`wrote ${join(values.out, "config.json")} and ${join(values.out, "secrets.env")}\n`);
    return 0;
  },
};
