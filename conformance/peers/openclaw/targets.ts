/** Target files for the peer, written beside the install; any command of the command line takes them. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npm, type Installed } from "./install.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** `peer`: the peer unchanged. `hosted`: our plugin in its gateway. `embedded`: its plugin in our gateway. */
const hostings = ["peer", "hosted", "embedded"] as const;
export type Hosting = (typeof hostings)[number];

/** Our plugin's id in the peer's gateway, which has a plugin named webhooks already. */
const HOSTED_ID = "conformance-webhooks";

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
  if (hosting === "peer") {
    return {
      name: `openclaw ${version}`,
      product: "openclaw",
      profile: "openclaw",
      start: startOf(installed),
      config: { merge: { gateway } },
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
  return {
    name: `the plugin of openclaw ${version} in the embedded gateway`,
    product: "openclaw",
    profile: "openclaw",
    start: {
      command: [
        ...serve,
        "--port",
        "{port}",
        "--control-port",
        "{controlPort}",
        "--clock",
        "driven",
        "--plugin",
        module,
      ],
      readyTimeoutMs: 60_000,
      stopTimeoutMs: 3000,
    },
    control: "http://127.0.0.1:{controlPort}",
    config: {
      merge: {
        secrets: {
          file: { dir: "{stateDir}/secrets" },
          exec: { command: ["cat"] },
          store: { path: "{stateDir}/store.json" },
        },
      },
    },
    secretSources: {
      file: { file: "{stateDir}/secrets/{id}" },
      exec: { file: "{stateDir}/{id}" },
      store: { json: "{stateDir}/store.json" },
    },
  };
}

/** Packs this package and installs it, as a user would, in a folder that the peer's gateway loads as a plugin. */
async function packedPlugin(beside: string): Promise<string> {
  const folder = join(beside, "hosted-plugin");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [{ filename }] = JSON.parse(await npm(["pack", root, "--json", "--ignore-scripts"], folder)) as [
    { filename: string },
  ];
  const manifest = {
    id: HOSTED_ID,
    name: "Webhooks under judgement",
    description: "The plugin of webhooks-conformance, unchanged.",
    categories: ["integrations"],
    activation: { onStartup: true },
    configSchema: { type: "object", additionalProperties: true },
    configContracts: {
      secretInputs: { paths: [{ path: "routes.*.secret", expected: "string", ownerKind: "route" }] },
    },
  };
  const files = {
    "package.json": {
      name: HOSTED_ID,
      version: "0.0.0",
      private: true,
      type: "module",
      openclaw: { extensions: ["./index.js"] },
    },
    "openclaw.plugin.json": manifest,
  };
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  await npm(["install", `./${filename}`, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder);
  const built = "./node_modules/webhooks-conformance/dist/plugin/index.js";
  await writeFile(
    join(folder, "index.js"),
    `import plugin from "${built}";\n\nexport default { ...plugin, id: "${HOSTED_ID}" };\n`,
  );
  return folder;
}
