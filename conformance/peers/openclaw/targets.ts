/** Target files for the peer, written beside the install; any command of the command line takes them. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { embedded } from "../../proof/target.ts";
import { Server } from "../../targets/server.ts";
import { keyringFor } from "../../targets/secrets-file.ts";
import { readTarget } from "../../targets/target-file.ts";
import { npm, type Installed } from "./install.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** `peer`: the peer unchanged. `asked`: with a plugin beside its own that asks the runtime. `hosted`: our plugin in its gateway. `embedded`: its plugin in our gateway. */
export type Hosting = "peer" | "asked" | "hosted" | "embedded";

/** Our plugin's id in the peer's gateway, which has a plugin named webhooks already. */
const HOSTED_ID = "conformance-webhooks";
const ASKING_ID = "conformance-runtime";
const ASKING_PATH = "/conformance-runtime";

const gateway = { mode: "local", bind: "loopback", auth: { mode: "token", token: "conformance" } };

/** Why no case can cover these clauses; every report shows it. */
const oneSource =
  "by its documentation a provider's name stands for one source: `default`, which the standard configuration names, is env's";

function startOf({ node, peer }: Installed): Record<string, unknown> {
  return {
    command: [node, join(peer, "openclaw.mjs"), "gateway", "--port", "{port}", "--allow-unconfigured"],
    env: {
      OPENCLAW_CONFIG_PATH: "{config}",
      OPENCLAW_STATE_DIR: "{stateDir}",
      HOME: "{stateDir}",
      OPENCLAW_SKIP_CHANNELS: "1",
    },
    // It starts in 5 s, on a busy machine in minutes. Its own shutdown on SIGTERM also takes minutes.
    readyTimeoutMs: 300_000,
    stopTimeoutMs: 5000,
  };
}

/** Writes the target file of one hosting and returns its path. Throws `StartError` where the plugin cannot be packed. */
export async function writeTarget(hosting: Hosting, version: string, installed: Installed): Promise<string> {
  const file = join(installed.folder, `target-${hosting}.json`);
  await writeFile(file, `${JSON.stringify(await targetOf(hosting, version, installed), null, 2)}\n`);
  return file;
}

async function targetOf(hosting: Hosting, version: string, installed: Installed): Promise<Record<string, unknown>> {
  const notCovered = {
    "CONFIG-PATH-UNIQUE": "with two routes of one path the peer's plugin serves none at all",
    "SECRET-FILE": oneSource,
    "SECRET-EXEC": oneSource,
    "SECRET-STORE": "the kit has no way to fill its store",
    "SECRET-SNAPSHOT": "seen only with a source whose content can change: see SECRET-FILE",
  };
  if (hosting === "peer" || hosting === "asked") {
    return {
      name: `openclaw ${version}`,
      product: "openclaw",
      profile: "openclaw",
      start: startOf(installed),
      config: { merge: { gateway, ...(hosting === "asked" && (await asking(installed))) } },
      notCovered,
    };
  }
  if (hosting === "hosted") {
    const plugin = await packedPlugin(installed.folder);
    return {
      name: `the plugin of this package in openclaw ${version}`,
      profile: "reference",
      start: startOf(installed),
      config: { entryId: HOSTED_ID, merge: { gateway, plugins: { load: { paths: [plugin] } } } },
      notCovered,
    };
  }
  const serve = [installed.node, join(root, "dist", "conformance", "cli", "main.js"), "serve", "--config", "{config}"];
  const module = join(installed.peer, "dist", "extensions", "webhooks", "index.js");
  const command = [...serve, "--port", "{port}", "--control-port", "{controlPort}", "--clock", "driven", "--plugin"];
  const name = `the plugin of openclaw ${version} in the embedded gateway`;
  const target = embedded(name, [...command, module], { product: "openclaw", profile: "openclaw" });
  return { ...target, start: { ...target.start, readyTimeoutMs: 60_000 } };
}

/** A folder that the peer's gateway loads as a plugin. `index`: its module; `files`: what stands beside it. */
async function pluginFolder(folder: string, id: string, files: Readonly<Record<string, string>>): Promise<string> {
  const json = {
    "package.json": {
      name: id,
      version: "0.0.0",
      private: true,
      type: "module",
      openclaw: { extensions: ["./index.js"] },
    },
    "openclaw.plugin.json": {
      id,
      name: "Webhooks under judgement",
      description: "The plugin of webhooks-conformance, unchanged.",
      categories: ["integrations"],
      activation: { onStartup: true },
      configSchema: { type: "object", additionalProperties: true },
      configContracts: {
        secretInputs: { paths: [{ path: "routes.*.secret", expected: "string", ownerKind: "route" }] },
      },
    },
  };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const texts = Object.entries(json).map(([name, value]) => [name, JSON.stringify(value, null, 2)]);
  for (const [name, text] of [...texts, ...Object.entries(files)])
    await writeFile(join(folder, name ?? ""), `${text}\n`);
  return folder;
}

/** Packs this package and installs it in such a folder, as a user would. */
async function packedPlugin(beside: string): Promise<string> {
  const built = "./node_modules/webhooks-conformance/dist/plugin/index.js";
  const index = `import plugin from "${built}";\n\nexport default { ...plugin, id: "${HOSTED_ID}" };`;
  const folder = await pluginFolder(join(beside, "hosted-plugin"), HOSTED_ID, { "index.js": index });
  const [{ filename }] = JSON.parse(await npm(["pack", root, "--json", "--ignore-scripts"], folder)) as [
    { filename: string },
  ];
  await npm(["install", `./${filename}`, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder);
  return folder;
}

/** A plugin that answers with what the gateway's runtime did with the calls of runtime-calls.ts. */
async function askingPlugin(beside: string): Promise<string> {
  const { transform } = await import("esbuild");
  const source = await readFile(join(import.meta.dirname, "runtime-calls.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts", format: "esm" });
  const index = `import { runtimeAnswers } from "./runtime-calls.js";
export default {
  id: "${ASKING_ID}", name: "Survey", description: "Asks the runtime.",
  register(api) {
    const { bindSession } = api.runtime.tasks.managedFlows;
    const handler = async (_request, response) => {
      const answers = await runtimeAnswers(bindSession, api.config).catch((error) => ({ error: String(error) }));
      response.end(JSON.stringify(answers));
      return true;
    };
    api.registerHttpRoute({ path: "${ASKING_PATH}", auth: "plugin", match: "exact", replaceExisting: true, handler });
  },
};`;
  return pluginFolder(join(beside, "asking-plugin"), ASKING_ID, { "index.js": index, "runtime-calls.js": code });
}

const asking = async ({ folder }: Installed) => ({
  plugins: { load: { paths: [await askingPlugin(folder)] }, entries: { [ASKING_ID]: { enabled: true } } },
});

/** What the peer's own runtime answers to calls that a plugin should not make, by call. */
export async function askRuntime(version: string, installed: Installed): Promise<Record<string, string>> {
  const target = await readTarget(await writeTarget("asked", version, installed));
  const server = await Server.start({ target, variant: "standard", keyring: await keyringFor(target) });
  try {
    const response = await fetch(`${server.origin}${ASKING_PATH}`, {
      method: "POST",
      signal: AbortSignal.timeout(60_000),
    });
    return z.record(z.string(), z.string()).parse(await response.json());
  } finally {
    await server.stop();
  }
}
